import { parseSync } from '@swc/core';

/** A text for people has at least so many words. */
const minWords = 3;

/** Statements for PostgreSQL are no texts for people. */
const sql =
  /^\W*(?:WITH|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|SET|TRUNCATE|COMMENT|DECLARE|FETCH|GRANT|REVOKE|BEGIN|RAISE|RETURN|IF|END)\b|\b(?:FROM|WHERE|JOIN|ORDER BY|GROUP BY|ON DELETE|ON CONFLICT|REFERENCES|RETURNS|VALUES|IS NULL|NOT NULL|DEFAULT|USING|AND NOT|LIKE|EXISTS)\b/;

/** Code in a literal: scripts, style sheets, patterns. */
const code = /=>|[;{}]\s*$|^\s*[.#@<]|\bfunction\b|\\[dsw]|\$\{|::/;

/**
 * The English texts of a source in TypeScript: string literals, templates (with `{}` for each expression) and text in JSX, each on
 * one line. A text that is written in parts with `+` is one.
 * @param {string} source
 * @param {string} file for its ending, and for an error
 * @returns {readonly string[]}
 */
export function textsIn(source, file) {
  const module = parse(source, file);
  const texts = [];
  const visit = (node) => {
    const text = textOf(node);
    if (text !== undefined) {
      const line = text.replaceAll(/\s+/g, ' ').trim();
      if (isForPeople(line)) texts.push(line);
    }
    for (const child of childrenOf(node, text !== undefined)) visit(child);
  };
  visit(module);
  return texts;
}

function parse(source, file) {
  try {
    return parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true, target: 'es2022' });
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  }
}

/** Undefined where the node is no text. */
function textOf(node) {
  if (node.type === 'StringLiteral' || node.type === 'JSXText') return node.value;
  if (node.type === 'TemplateLiteral' && node.quasis !== undefined) {
    return node.quasis.map(({ cooked, raw }) => cooked ?? raw).join('{}');
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const parts = [node.left, node.right].map(textOf);
  return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? '{}').join('');
}

/** Types and imports, which name modules. */
const withoutTexts =
  /^(?:Import|ExportAll|Ts(?!AsExpression|SatisfiesExpression|NonNull|ConstAssertion|ParameterProperty|Enum))/;

/** The parts of a text are no other texts, but what is inserted may have some. */
function childrenOf(node, isText) {
  if (withoutTexts.test(node.type ?? '')) return [];
  const children = Object.entries(node).flatMap(([name, value]) => (name === 'source' ? [] : [value].flat()));
  const nodes = children.filter((child) => typeof child === 'object' && child !== null);
  return isText ? nodes.flatMap(insertedIn) : nodes;
}

function insertedIn(node) {
  if (node.type === 'StringLiteral' || node.type === 'TemplateElement') return [];
  if (node.type === 'BinaryExpression' && node.operator === '+') return [node.left, node.right].flatMap(insertedIn);
  return [node];
}

function isForPeople(text) {
  const words = text.match(/(?<![\w./-])[A-Za-z][a-z’']*(?![\w/=(])/g) ?? [];
  return words.length >= minWords && /[a-z]{2}/.test(text) && !sql.test(text) && !code.test(text.replaceAll('{}', ''));
}
