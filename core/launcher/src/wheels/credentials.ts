import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { homeOfUser } from '../common/home-of-user';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** The value of the header `Authorization` for an address; undefined where no user is configured. */
export type Authorize = (url: URL) => string | undefined;

/**
 * Finds the user of an address as pip does: in the address, in the address of an index on the same host, in the file .netrc.
 * @param indexes addresses of indexes, some with a user
 */
export async function readCredentials(environment: Environment, indexes: readonly URL[]): Promise<Authorize> {
  const machines = parseNetrc(await readNetrc(environment));
  return (url) => {
    const named = [url, ...indexes.filter(({ origin }) => origin === url.origin)].find(
      ({ username }) => username !== '',
    );
    if (named !== undefined) return basic(decode(named.username), decode(named.password));
    const machine = machines.get(url.hostname) ?? machines.get('');
    return machine && basic(machine.login, machine.password);
  };
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readNetrc(environment: Environment): Promise<string> {
  const home = homeOfUser(environment);
  const files = environment['NETRC'] ? [environment['NETRC']] : homeFiles(home);
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return '';
}

function homeFiles(home: string | undefined): readonly string[] {
  return home === undefined ? [] : [join(home, '.netrc'), join(home, '_netrc')];
}

interface Machine {
  login: string;
  password: string;
}

/** Machines by name; that of `default` has the name ''. Macros are left out. */
function parseNetrc(text: string): ReadonlyMap<string, Machine> {
  const machines = new Map<string, Machine>();
  let machine: Machine | undefined;
  const words = text.replaceAll(/^macdef[^]*?(?:\n\n|(?![^]))/gm, '').match(/\S+/g) ?? [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === 'machine' || word === 'default') {
      machine = { login: '', password: '' };
      const name = word === 'default' ? '' : (words[(index += 1)] ?? '');
      if (!machines.has(name)) machines.set(name, machine);
    } else if (word === 'login' || word === 'password') {
      const value = words[(index += 1)] ?? '';
      if (machine !== undefined) machine[word] = value;
    }
  }
  return machines;
}
