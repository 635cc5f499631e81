/** A certificate that its own key has signed, for servers that are gone with the check that made them. */

import { generateKeyPairSync, sign } from "node:crypto";

const [INTEGER, BIT_STRING, OID, UTF8, SEQUENCE, SET, UTC_TIME] = [0x02, 0x03, 0x06, 0x0c, 0x30, 0x31, 0x17];

/** The key and the certificate, in PEM, as TLS servers take them. */
export function certificate() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(SEQUENCE, der(OID, Buffer.from("2a8648ce3d040302", "hex")));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, Buffer.from("550403", "hex")), der(UTF8, Buffer.from("example")))));
  const validity = der(SEQUENCE, ...[-1, 1].map((days) => der(UTC_TIME, Buffer.from(utc(Date.now() + days * 86_400_000)))));
  const told = der(SEQUENCE, der(INTEGER, Buffer.from([1])), ecdsaWithSha256, name, validity, name, publicKey.export({ type: "spki", format: "der" }));
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", told, privateKey));
  const lines = der(SEQUENCE, told, ecdsaWithSha256, signature).toString("base64").match(/.{1,64}/g).join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value as DER writes it: its tag, its length, its bytes. */
function der(tag, ...parts) {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

/** `YYMMDDHHMMSSZ`. */
const utc = (at) => `${new Date(at).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`;
