/**
 * Reads server-sent events from a response's body.
 *
 * @typedef {{ id: string, data: string }} ServerEvent
 */

/**
 * Each event as it arrives; comments and unknown fields are skipped. Throws what the connection throws.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<ServerEvent>}
 */
export async function* events(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let rest = "";
  let id = "";
  /** @type {string[]} */
  let data = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      // A carriage return at the end may be the first half of a line's end.
      const whole = rest.endsWith("\r") ? rest.length - 1 : rest.length;
      const lines = rest.slice(0, whole).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(whole);
      for (const line of lines) {
        if (line === "") {
          if (data.length) yield { id, data: data.join("\n") };
          data = [];
        } else if (!line.startsWith(":")) {
          const [, name, text] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
          if (name === "data") data.push(text);
          if (name === "id") id = text;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
