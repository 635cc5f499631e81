/** The proof of work that a server may ask of a browser without an account: a nonce whose hash begins with zero bits. */

/**
 * @param {string} challenge
 * @param {number} bits
 * @returns {Promise<string>} the nonce
 */
export async function prove(challenge, bits) {
  const head = [...new TextEncoder().encode(`${challenge}.`)];
  for (let nonce = 0; ; nonce += 1) {
    const text = nonce.toString(36);
    if (zeroBits(sha256([...head, ...[...text].map((letter) => letter.charCodeAt(0))])) >= bits) return text;
    // The page stays responsive meanwhile.
    if (nonce % 2000 === 1999) await new Promise((resolve) => setTimeout(resolve));
  }
}

/** @param {Uint32Array} words */
function zeroBits(words) {
  let bits = 0;
  for (const word of words) {
    bits += Math.clz32(word);
    if (word !== 0) break;
  }
  return bits;
}

const [START, ROUND] = constants();

/** The first 32 bits of the fractional parts of the roots of the first primes, as FIPS 180-4 defines them. */
function constants() {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (/** @type {number} */ root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  return [primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))), primes.map((prime) => fraction(Math.cbrt(prime)))];
}

/**
 * SHA-256, here because browsers offer theirs on secure connections only, and one promise for each hash.
 *
 * @param {number[]} bytes
 */
export function sha256(bytes) {
  const length = bytes.length * 8;
  const padded = [...bytes, 0x80];
  while (padded.length % 64 !== 56) padded.push(0);
  for (let shift = 56; shift >= 0; shift -= 8) padded.push(shift >= 32 ? 0 : (length >>> shift) & 255);
  const state = new Uint32Array(START);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      if (at < 16) {
        const place = block + at * 4;
        words[at] = (padded[place] << 24) | (padded[place + 1] << 16) | (padded[place + 2] << 8) | padded[place + 3];
      } else {
        const [x, y] = [words[at - 15], words[at - 2]];
        const small = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
        const large = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
        words[at] = (words[at - 16] + small + words[at - 7] + large) | 0;
      }
    }
    mix(state, words);
  }
  return state;
}

/**
 * @param {Uint32Array} state
 * @param {Int32Array} words
 */
function mix(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at += 1) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[at] + words[at]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] += value;
}

/**
 * @param {number} word
 * @param {number} by
 */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}
