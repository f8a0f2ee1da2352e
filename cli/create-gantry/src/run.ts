import { parseArgs } from 'node:util';
import { createProject, type CreatedProject } from './create-project';
import { SetupError } from './setup-error';

const usage = `Usage: npm create gantry@latest <folder> [-- --no-install]

Creates a Gantry platform in a folder that is empty or does not exist yet.`;

/** The command `create-gantry`. Sets the exit code of the process: 0, 1 when it failed, 2 when it was not understood. */
export async function run(words: readonly string[]): Promise<void> {
  const options = parseWords(words);
  if (typeof options === 'string') {
    process.stderr.write(`create-gantry: ${options}\n${usage}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    process.stdout.write(`${describeProject(await createProject(options))}\n`);
  } catch (error) {
    process.exitCode = 1;
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`create-gantry: ${error.message}\n  ${error.remedy}\n`);
  }
}

/** @returns a sentence about words that are not understood */
function parseWords(words: readonly string[]): { readonly folder: string; readonly install: boolean } | string {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: { 'no-install': { type: 'boolean', default: false } },
  });
  const unknown = tokens.find(
    (token) => token.kind === 'option' && (token.name !== 'no-install' || token.value !== undefined),
  );
  if (unknown?.kind === 'option') return `There is no option ${words[unknown.index] ?? unknown.rawName}.`;
  const [folder = '.', ...rest] = positionals;
  if (rest.length > 0) return `Name one folder; found: ${positionals.join(', ')}.`;
  return { folder, install: values['no-install'] !== true };
}

/** The next steps. */
export function describeProject({ folder, name, isInstalled }: CreatedProject): string {
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    ...(isInstalled ? [] : ['npm install']),
    'npm start                              the platform, with its pages at http://127.0.0.1:3000/admin',
    'npx gantry plugins create recipes      a plugin with an item type of yours',
  ];
  return [`The platform ${name} is ready. Next:`, ...steps.map((step) => `  ${step}`)].join('\n');
}
