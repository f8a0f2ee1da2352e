import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from './files';
import { ConfigError } from './config-error';

/** Encrypts secrets that the platform has to read again, such as those of authenticator apps. */
export interface SecretBox {
  /** AES-256-GCM, with the newest key. @param context part of what is authenticated: a text cannot be moved to another user */
  seal(plain: string, context: string): string;
  /** @throws Error for a text that was changed, of another context, or sealed with a key that is not there */
  open(sealed: string, context: string): string;
  /** Makes the key of the home that encrypts from now on. Those of GANTRY_SECRET_KEY stay as they are. */
  addKey(): void;
  /** Removes the keys of the home but for the newest one and the one before it. */
  dropOldKeys(): void;
}

/** Keys in order: the first one encrypts, all of them decrypt. */
type Keys = readonly Buffer[];

/** The keys of `GANTRY_SECRET_KEY`, else of the file in the home, which is made at the first use. */
export function createSecretBox(home: string, configured: string | undefined): SecretBox {
  const file = join(home, 'secret-key');
  const read = (): Keys =>
    configured === undefined ? homeKeys(file) : parseKeys(configured, 'GANTRY_SECRET_KEY', /,/);
  let known: Keys | undefined;
  const write = (change: (keys: Keys) => Keys): void => {
    if (configured === undefined) writeKeys(file, change(read()));
  };
  return {
    seal(plain, context) {
      // Another process may have added a key.
      known = read();
      const [key] = known;
      if (key === undefined) throw new ConfigError(`${file} has no key.`);
      return sealWith(key, plain, context);
    },
    open(sealed, context) {
      const text = openWith((known ??= read()), sealed, context) ?? openWith((known = read()), sealed, context);
      if (text === undefined) throw new Error('The text was changed, or sealed with another key.');
      return text;
    },
    addKey: () => write((keys) => [randomBytes(32), ...keys]),
    dropOldKeys: () => write((keys) => keys.slice(0, 2)),
  };
}

/** The text, sealed with the newest key. @returns undefined when no key opens it */
export function reseal(box: SecretBox, sealed: string, context: string): string | undefined {
  try {
    return box.seal(box.open(sealed, context), context);
  } catch {
    return undefined;
  }
}

function sealWith(key: Buffer, plain: string, context: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url')).join('.')}`;
}

/** @returns undefined when no key opens it */
function openWith(keys: Keys, sealed: string, context: string): string | undefined {
  const [iv, tag, text] = sealed
    .split('.')
    .slice(1)
    .map((part) => Buffer.from(part, 'base64url'));
  if (iv === undefined || tag === undefined || text === undefined) return undefined;
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    } catch {
      // Another key may open it.
    }
  }
  return undefined;
}

/** @throws ConfigError */
function parseKeys(text: string, name: string, separator: RegExp): Keys {
  return text
    .trim()
    .split(separator)
    .map((part) => {
      const key = Buffer.from(part, 'base64');
      if (key.length === 32) return key;
      throw new ConfigError(`${name} must be 32 bytes in base64`);
    });
}

function homeKeys(file: string): Keys {
  const known = readKeys(file);
  if (known !== undefined) return known;
  mkdirSync(dirname(file), { recursive: true });
  writeKeys(file, [randomBytes(32)]);
  const made = readKeys(file);
  if (made === undefined) throw new ConfigError(`${file} cannot be read.`);
  return made;
}

/** @returns undefined when there is no such file */
function readKeys(file: string): Keys | undefined {
  try {
    return parseKeys(readFileSync(file, 'utf8'), file, /\s+/);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeKeys(file: string, keys: Keys): void {
  writeAtomically(file, keys.map((key) => `${key.toString('base64')}\n`).join(''));
}
