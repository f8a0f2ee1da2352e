/** A tag with its attributes, or a comment. */
const tags = /<!--[^]*?-->|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;

/** Attributes that mean something to the editor; it looks at them by itself. */
const kept = /\s(?:href|start|data-item|data-pm-slice)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi;

/**
 * The HTML of the clipboard without other attributes. The editor ignores them, but the browser reports each style and event handler to the
 * console as refused by the content security policy.
 */
export function withoutAttributes(html: string): string {
  return html.replaceAll(tags, (_tag, end: string | undefined, name: string | undefined, attributes: string = '') =>
    name === undefined ? '' : `<${end ?? ''}${name}${(attributes.match(kept) ?? []).join('')}>`,
  );
}
