import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { UsageError } from '../../common/usage-error';
import { withRemedy } from '../../common/with-remedy';
import type { CommandContext } from '../../context/command-context';
import { parsePlatformUrl } from '../../context/platform-url';
import { callRoute } from '../../context/running-platform';
import { readStoredToken, storeToken } from '../../context/stored-tokens';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Interrupted } from '../../common/failure';
import type { Terminal } from '../../terminal/terminal';

/** `gantry login <address>`: stores the token once the platform has accepted it. */
export async function logIn(context: CommandContext, given: string, tokenFile: string | undefined): Promise<number> {
  const url = parsePlatformUrl(given);
  const token = (await readToken(context, url, tokenFile)).trim();
  if (!/^gty_\w+$/.test(token)) {
    throw withRemedy('This is not an API token: an API token begins with gty_.', `Create one on ${url}/admin/account.`);
  }
  const asked = { ...context, url, environment: { ...context.environment, GANTRY_TOKEN: token } };
  const { user } = (await callRoute('GET', '/api/platform/session', {}, asked)).data;
  if (user === null) {
    throw withRemedy(`${url} does not accept the token.`, `Create another one on ${url}/admin/account.`);
  }
  const file = storeToken(context, url, token);
  if (context.json) context.terminal.printJson({ url, user: user.name, roles: user.roles, file });
  else {
    context.terminal.print(`Stored the token of ${user.name} (${user.roles.join(', ')}) for ${url} in ${file}.`);
    context.terminal.print(`Add --url ${url} to a command.`);
  }
  return 0;
}

/** `gantry logout <address>` */
export function logOut(context: CommandContext, given: string): Promise<number> {
  const url = parsePlatformUrl(given);
  const token = readStoredToken(context, url);
  if (token === undefined) throw withRemedy(`There is no token for ${url}.`, 'No action is needed.');
  storeToken(context, url, undefined);
  const id = token.split('_')[1] ?? '';
  if (context.json) context.terminal.printJson({ url, token: id });
  else context.terminal.print(`Removed the token ${id} from this machine. To revoke it, open ${url}/admin/account.`);
  return Promise.resolve(0);
}

async function readToken({ terminal }: CommandContext, url: string, file: string | undefined): Promise<string> {
  if (file === '-') return readAll(process.stdin);
  if (file !== undefined) return readFile(file, 'utf8');
  if (!terminal.isWatched || !process.stdin.isTTY) {
    throw new UsageError(
      'There is no terminal for the question.',
      'Name a file with the token: --token-file <file>, or - ',
    );
  }
  terminal.note(`Create an API token on ${url}/admin/account, and paste it here.`);
  return askSecret(terminal, 'API token: ');
}

/** Asks a person for a secret, and does not show what is typed. @throws Interrupted on Ctrl-C */
async function askSecret({ stderr }: Terminal, question: string): Promise<string> {
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted('Interrupted. Nothing was stored.')));
      lines.once('close', () => resolve(''));
      lines.question('').then(resolve, reject);
    });
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
