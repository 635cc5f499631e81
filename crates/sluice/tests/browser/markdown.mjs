/** Markdown as the page reads it: what becomes of a text, and that streaming ends where drawing it at once does. */

import { open, same } from "./support.mjs";

const CASES = [
  ["plain", "<p dir=\"auto\">plain</p>"],
  ["**a** *b* ~~c~~ `d`", "<p dir=\"auto\"><strong>a</strong> <em>b</em> <s>c</s> <code>d</code></p>"],
  ["snake_case_word and 2 * 3 * 4", "<p dir=\"auto\">snake_case_word and 2 * 3 * 4</p>"],
  ["a \\*b\\* \\[1]", "<p dir=\"auto\">a *b* [1]</p>"],
  ["<b>no</b> &amp; yes", "<p dir=\"auto\">&lt;b&gt;no&lt;/b&gt; &amp;amp; yes</p>"],
  ["# One", "<h3 dir=\"auto\">One</h3>"],
  ["###### Six", "<h6 dir=\"auto\">Six</h6>"],
  ["- a\n- b\n  - c", "<ul dir=\"auto\"><li dir=\"auto\">a</li><li dir=\"auto\">b<ul dir=\"auto\"><li dir=\"auto\">c</li></ul></li></ul>"],
  ["3. a\n4. b", "<ol dir=\"auto\" start=\"3\"><li dir=\"auto\">a</li><li dir=\"auto\">b</li></ol>"],
  ["- a\n\n1. b", "<ul dir=\"auto\"><li dir=\"auto\">a</li></ul><ol dir=\"auto\"><li dir=\"auto\">b</li></ol>"],
  ["> a\n> b", "<blockquote dir=\"auto\"><p dir=\"auto\">a\nb</p></blockquote>"],
  ["```js\na < b\n\n# c\n```\nafter", "<pre tabindex=\"0\" dir=\"ltr\"><code>a &lt; b\n\n# c</code></pre><p dir=\"auto\">after</p>"],
  ["~~~\n```\n~~~", "<pre tabindex=\"0\" dir=\"ltr\"><code>```</code></pre>"],
  ["a  \nb", "<p dir=\"auto\">a  <br>b</p>"],
  ["---", "<hr>"],
  ["x [1] y [2, 3] z [9]", "<p dir=\"auto\">x <sup>1</sup> y <sup>2+3</sup> z [9]</p>"],
  ["[a](https://b.example/c_(d)) ![e](f.png)", "<p dir=\"auto\"><a href=\"https://b.example/c_(d)\" target=\"_blank\" rel=\"noopener noreferrer nofollow ugc\">a</a> <a href=\"f.png\" target=\"_blank\" rel=\"noopener noreferrer nofollow ugc\">e</a></p>"],
  ["see https://b.example/x?y=1.", "<p dir=\"auto\">see <a href=\"https://b.example/x?y=1\" target=\"_blank\" rel=\"noopener noreferrer nofollow ugc\">https://b.example/x?y=1</a>.</p>"],
  ["[a](javascript:alert(1)) [b](data:text/html,c)", "<p dir=\"auto\">a b</p>"],
  ["[1](https://b.example/)", "<p dir=\"auto\"><a href=\"https://b.example/\" target=\"_blank\" rel=\"noopener noreferrer nofollow ugc\">1</a></p>"],
  [
    "| a | b |\n|---|--:|\n| c \\| d | 1 |",
    "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><th scope=\"col\">a</th><th scope=\"col\" data-side=\"end\">b</th></tr></thead><tbody><tr><td dir=\"auto\">c | d</td><td dir=\"auto\" data-side=\"end\">1</td></tr></tbody></table></div>",
  ],
];

export const markdown = {
  async "Markdown is read as people write it"({ browser, samples }) {
    const page = await open(browser, samples);
    for (const [text, wanted] of CASES) same(await drawn(page, text, text.length), wanted, JSON.stringify(text));
  },

  async "a text that streams in ends as it would at once"({ browser, samples }) {
    const page = await open(browser, samples);
    const whole = CASES.map(([text]) => text).join("\n\n");
    const wanted = await drawn(page, whole, whole.length);
    for (const step of [1, 7, 40]) same(await drawn(page, whole, step), wanted, `in steps of ${step}`);
  },
};

/** What the text is drawn as, when it comes so many characters at a time. */
function drawn(page, text, step) {
  return page.evaluate(async ([text, step]) => {
    const { Markdown } = await import(document.querySelector("link[href$='lib/markdown.js']").href);
    const { el } = await import(document.querySelector("link[href$='lib/dom.js']").href);
    const node = document.createElement("div");
    const reader = new Markdown(node, (ordinals) => (ordinals.includes(9) ? null : el("sup", null, ordinals.join("+"))));
    for (let at = step; at < text.length; at += step) reader.draw(text.slice(0, at), false);
    reader.draw(text, true);
    return node.innerHTML;
  }, [text, step]);
}
