import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '@gantry/core-common';
import { ConfigError } from '../common/config-error';

/** Encrypts secrets that the platform has to read again, such as those of authenticator apps. */
export interface SecretBox {
  /** AES-256-GCM. @param context part of what is authenticated: a text cannot be moved to another user */
  seal(plain: string, context: string): string;
  /** @throws Error for a text that was changed, of another context, or sealed with another key */
  open(sealed: string, context: string): string;
}

/** The key of `GANTRY_SECRET_KEY`, else the one in the home, which is made at the first use. */
export function createSecretBox(home: string, configured: string | undefined): SecretBox {
  let key: Buffer | undefined;
  const keyOf = (): Buffer =>
    (key ??= configured === undefined ? homeKey(home) : parseKey(configured, 'GANTRY_SECRET_KEY'));
  return {
    seal(plain, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyOf(), iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url')).join('.')}`;
    },
    open(sealed, context) {
      const [, iv = '', tag = '', text = ''] = sealed.split('.');
      const decipher = createDecipheriv('aes-256-gcm', keyOf(), Buffer.from(iv, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
  };
}

/** @throws ConfigError */
function parseKey(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${name} must be 32 bytes in base64`);
}

function homeKey(home: string): Buffer {
  const file = join(home, 'secret-key');
  const read = (): Buffer | undefined => {
    try {
      return parseKey(readFileSync(file, 'utf8').trim(), file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const known = read();
  if (known !== undefined) return known;
  mkdirSync(home, { recursive: true });
  writeAtomically(file, `${randomBytes(32).toString('base64')}\n`);
  const made = read();
  if (made === undefined) throw new ConfigError(`${file} cannot be read.`);
  return made;
}
