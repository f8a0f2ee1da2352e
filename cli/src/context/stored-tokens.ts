import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeAtomically } from '@gantry/core-common';
import { withRemedy } from '../common/with-remedy';
import type { CommandContext } from './command-context';

/** API tokens by the origin of the platform that they belong to. */
type StoredTokens = Readonly<Record<string, string>>;

/** The token of `gantry login`. @throws Error for a file that others can read, or that is damaged */
export function readStoredToken(context: CommandContext, url: string): string | undefined {
  const tokens = readTokens(fileOf(context));
  return Object.hasOwn(tokens, url) ? tokens[url] : undefined;
}

/** @param token undefined removes it. @returns the file */
export function storeToken(context: CommandContext, url: string, token: string | undefined): string {
  const file = fileOf(context);
  const tokens = new Map(Object.entries(readTokens(file)));
  if (token === undefined) tokens.delete(url);
  else tokens.set(url, token);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${JSON.stringify({ formatVersion: 1, tokens: Object.fromEntries(tokens) }, undefined, 2)}\n`);
  return file;
}

function fileOf({ environment }: CommandContext): string {
  const folder = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
  return join(folder, 'gantry', 'tokens.json');
}

function readTokens(file: string): StoredTokens {
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw withRemedy(`Others can read the API tokens in ${file}.`, `Run: chmod 600 ${file}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const tokens = tokensOf(text);
  if (tokens !== undefined) return tokens;
  throw withRemedy(`${file} is damaged.`, 'Remove it, and run gantry login again.');
}

function tokensOf(text: string): StoredTokens | undefined {
  try {
    const { formatVersion, tokens } = JSON.parse(text) as { formatVersion?: unknown; tokens?: unknown };
    if (formatVersion !== 1 || typeof tokens !== 'object' || tokens === null) return undefined;
    return Object.values(tokens).every((token) => typeof token === 'string') ? (tokens as StoredTokens) : undefined;
  } catch {
    return undefined;
  }
}
