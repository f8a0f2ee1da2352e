import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

/**
 * A document as the pages show it.
 * @param {string} markdown begins with a heading of the first level
 * @param {ReadonlySet<string>} known names of documents that links may lead to; other links between files become text
 * @returns {{ title: string, html: string, headings: readonly { id: string, text: string }[] }} headings of the second level
 */
export function parseDocument(markdown, known) {
  const renderer = createRenderer();
  const slugger = new GithubSlugger();
  // A generated document says so in a comment before its title.
  const tokens = renderer.parse(markdown.replace(/^<!--[\s\S]*?-->\s*/, ''), {});
  const headings = [];
  let title;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1]);
      const id = slugger.slug(text);
      if (token.tag === 'h1') title = text;
      if (token.tag === 'h2') headings.push({ id, text });
      token.attrSet('id', id);
    }
    // The corner of a table without a text is no header.
    if (token.type === 'th_open' && tokens[index + 1].content === '') {
      for (const tag of [token, tokens[index + 2]]) tag.tag = 'td';
    }
    if (token.type === 'inline') token.children = linked(token.children, known);
  }
  if (tokens[0]?.tag !== 'h1' || title === undefined) {
    throw new Error('A document begins with a heading of the first level.');
  }
  // The page shows the title as its own heading.
  const body = tokens.slice(tokens.findIndex(({ type }) => type === 'heading_close') + 1);
  return { title, html: renderer.renderer.render(body, renderer.options, {}), headings };
}

/** What may be wider than the page scrolls by itself, and can be reached with the keyboard. */
function createRenderer() {
  const renderer = new MarkdownIt({ html: false });
  const { rules } = renderer.renderer;
  rules.table_open = () => '<div class="document-table" tabindex="0">\n<table>\n';
  rules.table_close = () => '</table>\n</div>\n';
  const code = (tokens, index) =>
    `<pre tabindex="0"><code>${renderer.utils.escapeHtml(tokens[index].content)}</code></pre>\n`;
  rules.fence = code;
  rules.code_block = code;
  return renderer;
}

function plainText(inline) {
  return inline.children.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Links lead to other documents, within one, or to other sites; what is only in the sources is named without a link. */
function linked(tokens, known) {
  let isDropped = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const target = targetOf(token.attrGet('href') ?? '', known);
      isDropped = target === undefined;
      for (const [name, value] of Object.entries(target ?? {})) token.attrSet(name, value);
      return !isDropped;
    }
    return token.type !== 'link_close' || !isDropped;
  });
}

function targetOf(href, known) {
  if (href.startsWith('#')) return { href };
  if (/^https?:\/\//.test(href)) return { href, target: '_blank', rel: 'noreferrer' };
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined || !known.has(name)) return undefined;
  const page = `/documentation/${name}${fragment}`;
  // As a link of the application (src/ui/quick-link.tsx).
  return { href: `/admin${page}`, 'data-to': page };
}
