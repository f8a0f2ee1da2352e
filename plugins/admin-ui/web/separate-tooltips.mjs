/**
 * A plugin for Vite: tooltips, which only the editor of documents has, get their own copy of the library that places them. With one copy for all
 * pages, what tooltips alone use of it would be part of the script of the first page.
 */
export function separateTooltips() {
  return {
    name: 'separate-tooltips',
    enforce: 'pre',
    async resolveId(source, importer = '') {
      const isSeparate = /[\\/]components[\\/]Tooltip[\\/]|\?tooltips$/.test(importer);
      if (!isSeparate || !libraries.includes(source)) return undefined;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && { ...found, id: `${found.id}?tooltips` };
    },
  };
}

const libraries = ['@floating-ui/react', '@floating-ui/react/utils'];
