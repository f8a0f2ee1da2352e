import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text that is safe in a cookie, a header and an address. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash of a secret, which is stored. A secret has 256 random bits, so that a fast hash without salt is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** An API token in parts: `gty_<public id>_<secret><checksum>`. */
export interface ApiTokenText {
  /** 12 characters by which the token is found; not secret. */
  readonly publicId: string;
  /** The whole text; shown once. */
  readonly text: string;
}

const checksumLength = 6;
const tokenPattern = /^gty_([A-Za-z0-9]{12})_([A-Za-z0-9]{43})([A-Za-z0-9]{6})$/;

/** Makes a token. The checksum lets scanners of secrets recognise one without asking the platform. */
export function createApiTokenText(): ApiTokenText {
  const publicId = randomLetters(12);
  const body = `gty_${publicId}_${randomLetters(43)}`;
  return { publicId, text: body + checksumOf(body) };
}

/** @returns the public id of a well-formed token, else undefined */
export function publicIdOf(token: string): string | undefined {
  const match = tokenPattern.exec(token);
  const body = token.slice(0, -checksumLength);
  return match !== null && checksumOf(body) === match[3] ? match[1] : undefined;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits, each with the same probability. */
function randomLetters(count: number): string {
  let text = '';
  while (text.length < count) {
    // 248 is the largest multiple of 62 in a byte.
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += letters[byte % 62];
  }
  return text;
}

function checksumOf(body: string): string {
  const digest = createHash('sha256').update(body).digest();
  return [...digest.subarray(0, checksumLength)].map((byte) => letters[byte % 62]).join('');
}
