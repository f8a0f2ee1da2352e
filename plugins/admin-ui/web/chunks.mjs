/**
 * A plugin for Vite: which modules the build puts into one file. A browser pays for each file that it asks for, and a small file is
 * compressed less; by itself, the build makes one of every set of modules that two others share.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('src', import.meta.url));

/**
 * What is loaded together, by name: modules with all that they import. What several need is in the first that has it, so that
 * later ones load the earlier.
 */
const groups = {
  // Drawn with every page.
  application: ['main.tsx'],
  // Once the page is drawn.
  frame: [
    ...['shell/messages.tsx', 'shell/palette/command-palette.tsx', 'shell/live-changes.tsx', 'shell/help-dialog.tsx'],
    ...['content/undo/undo-dialog.tsx', 'account/viewed-as.tsx'],
  ],
  'list-parts': [
    ...[
      'content/list/views/view-dialog.tsx',
      'content/list/columns/column-chooser.tsx',
      'content/list/export/export-dialog.tsx',
    ],
    ...['content/list/filter/filter-chips.tsx', 'content/list/filter/filter-form.tsx'],
    ...['content/list/menu/menu-entries.tsx', 'content/list/selection/selection-bar.tsx', 'content/delete-dialog.tsx'],
  ],
  // Once something is selected.
  bulk: ['content/list/bulk/bulk-dialog.tsx'],
  item: ['content/form/item/item-page.tsx', 'content/form/item/new-item-page.tsx', 'content/form/item/item-editor.tsx'],
  controls: ['content/kinds/further-views.ts', ...laterParts()],
};

/** The files of field kinds that are not part of the first page's script. */
function laterParts() {
  const names = readdirSync(join(sources, 'content/kinds'), { recursive: true });
  return names.filter((name) => /[/\\]later-[^/\\]+$/.test(name)).map((name) => join('content/kinds', name));
}

export function chunks() {
  const nameOf = new Map();
  const names = Object.keys(groups);
  return {
    name: 'chunks',
    config: () => ({
      build: { rolldownOptions: { output: { codeSplitting: { groups: names.map(groupOf) } } } },
    }),
    buildEnd() {
      // Of libraries, only what is used of them follows, by itself: their own indexes name all that they have.
      const visit = (id, name) => {
        if (nameOf.has(id) || id.includes('/node_modules/')) return;
        nameOf.set(id, name);
        for (const other of this.getModuleInfo(id)?.importedIds ?? []) visit(other, name);
      };
      for (const name of names) for (const module of groups[name]) visit(join(sources, module), name);
    },
  };

  function groupOf(name, index) {
    return { name, test: (id) => nameOf.get(id) === name, priority: names.length - index };
  }
}
