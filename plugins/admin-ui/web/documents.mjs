/**
 * A plugin for Vite: the documents of the platform become modules of the application. `virtual:documents` lists them in the order
 * of `groups`, each with a function that loads its content, which is a separate chunk.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from './parse-document.mjs';

const listId = 'virtual:documents';
const contentPrefix = 'virtual:document/';

/** Every document below docs/ that is for users, by name. */
const groups = [
  {
    label: 'Using Gantry',
    names: [
      ...['getting-started', 'admin', 'import-and-export', 'history', 'orders', 'webhooks', 'rest'],
      ...['configuration', 'operations', 'security', 'deployment', 'backup-and-restore', 'errors'],
    ],
  },
  {
    label: 'Extending Gantry',
    names: [
      'projects',
      'writing-a-plugin',
      'writing-a-service',
      'writing-plugin-pages',
      'writing-a-field-kind',
      'glossary',
    ],
  },
];

/** For who changes the platform itself. */
const forMaintainers = ['architecture', 'dependencies'];

/** @param folder of the Markdown files */
export function documents(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const names = groups.flatMap((group) => group.names);
  const known = new Set(names);
  const missing = files
    .map((name) => name.slice(0, -'.md'.length))
    .filter((name) => !known.has(name) && !forMaintainers.includes(name));
  if (missing.length > 0) throw new Error(`Add ${missing.join(', ')} to a group in documents.mjs.`);
  const parsed = new Map(
    names.map((name) => [name, parseDocument(readFileSync(join(folder, `${name}.md`), 'utf8'), known)]),
  );
  return {
    name: 'documents',
    resolveId: (id) => (id === listId || id.startsWith(contentPrefix) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${listId}`) return listModule(parsed);
      if (!id.startsWith(`\0${contentPrefix}`)) return undefined;
      return `export default ${JSON.stringify(parsed.get(id.slice(contentPrefix.length + 1)))};`;
    },
  };
}

function listModule(parsed) {
  const entries = groups.map(({ label, names }) => {
    const members = names.map(
      (name) =>
        `{ name: ${JSON.stringify(name)}, title: ${JSON.stringify(parsed.get(name).title)}, load: () => import(${JSON.stringify(contentPrefix + name)}) }`,
    );
    return `{ label: ${JSON.stringify(label)}, documents: [${members.join(', ')}] }`;
  });
  return `export const documentGroups = [${entries.join(', ')}];`;
}
