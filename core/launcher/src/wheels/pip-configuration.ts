import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { homeOfUser } from '../common/home-of-user';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** The value of an option, and where it is set: a variable of the environment, or a file. */
export interface PipOption {
  readonly text: string;
  readonly source: string;
}

/** Options of `pip install` by their long names, for example `index-url`. */
export type PipConfiguration = ReadonlyMap<string, PipOption>;

/**
 * Reads the options of `pip install` as pip does: variables of the environment override the section `install` of its
 * files, which overrides the section `global`; of several files, a later one overrides those before it.
 * @throws Error for a file that pip refuses, too
 */
export async function readPipConfiguration(environment: Environment): Promise<PipConfiguration> {
  const sections = new Map<string, Map<string, PipOption>>();
  for (const file of configurationFiles(environment)) {
    const text = await readIfPossible(file);
    if (text !== undefined) mergeFile(sections, file, text);
  }
  const set = [...(sections.get('global') ?? []), ...(sections.get('install') ?? []), ...variablesOf(environment)];
  return new Map(set.filter(([, { text }]) => text !== ''));
}

function variablesOf(environment: Environment): readonly (readonly [string, PipOption])[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith('PIP_'))
    .map(([name, text = '']) => [name.slice('PIP_'.length).toLowerCase().replaceAll('_', '-'), { text, source: name }]);
}

/** In the order in which pip reads them. PIP_CONFIG_FILE replaces the files of the user and overrides the others. */
function configurationFiles(environment: Environment): readonly string[] {
  const named = environment['PIP_CONFIG_FILE'];
  if (named === '/dev/null' || named === 'nul') return [];
  const hasNamed = named !== undefined && statSync(named, { throwIfNoEntry: false }) !== undefined;
  const site = environment['VIRTUAL_ENV'];
  return [
    ...filesForAll(environment),
    ...(hasNamed ? [] : filesOfUser(environment)),
    ...(site ? [join(site, process.platform === 'win32' ? 'pip.ini' : 'pip.conf')] : []),
    ...(hasNamed ? [named] : []),
  ];
}

function filesForAll(environment: Environment): readonly string[] {
  switch (process.platform) {
    case 'win32':
      return [join(environment['PROGRAMDATA'] || 'C:\\ProgramData', 'pip', 'pip.ini')];
    case 'darwin':
      return ['/Library/Application Support/pip/pip.conf'];
    default:
      return [
        ...(environment['XDG_CONFIG_DIRS'] || '/etc/xdg')
          .split(delimiter)
          .map((folder) => join(folder, 'pip/pip.conf')),
        '/etc/pip.conf',
      ];
  }
}

function filesOfUser(environment: Environment): readonly string[] {
  const home = homeOfUser(environment);
  if (home === undefined) return [];
  if (process.platform === 'win32') {
    const roaming = environment['APPDATA'] || join(home, 'AppData', 'Roaming');
    return [join(home, 'pip', 'pip.ini'), join(roaming, 'pip', 'pip.ini')];
  }
  const support = join(home, 'Library/Application Support/pip');
  const usesSupport = process.platform === 'darwin' && statSync(support, { throwIfNoEntry: false }) !== undefined;
  const configuration = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  return [join(home, '.pip/pip.conf'), join(usesSupport ? support : join(configuration, 'pip'), 'pip.conf')];
}

/** pip does not mind files that are not there or that it may not read. */
async function readIfPossible(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** The format of Python's `configparser`: an indented line continues the value before it, `#` and `;` begin comments. */
function mergeFile(sections: Map<string, Map<string, PipOption>>, file: string, text: string): void {
  let section: Map<string, PipOption> | undefined;
  let current: { readonly name: string; readonly indent: number } | undefined;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const content = line.trim();
    if (content === '' || content.startsWith('#') || content.startsWith(';')) continue;
    const indent = line.length - line.trimStart().length;
    const header = /^\[(.+)\]/.exec(content)?.[1];
    if (section !== undefined && current !== undefined && indent > current.indent) {
      const { text: before = '' } = section.get(current.name) ?? {};
      section.set(current.name, { text: `${before}\n${content}`.trim(), source: file });
    } else if (header !== undefined) {
      section = sections.get(header) ?? new Map<string, PipOption>();
      sections.set(header, section);
      current = undefined;
    } else {
      const separator = content.search(/[=:]/);
      if (section === undefined || separator < 1) {
        throw new Error(`Line ${index + 1} of ${file} is not a setting; correct it`);
      }
      current = { name: optionName(content.slice(0, separator)), indent };
      section.set(current.name, { text: content.slice(separator + 1).trim(), source: file });
    }
  }
}

function optionName(text: string): string {
  return text.trim().toLowerCase().replaceAll('_', '-').replace(/^--/, '');
}
