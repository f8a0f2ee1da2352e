import { createElement, type ReactNode, useState } from 'react';
import type { DocumentMark, DocumentNode } from '../../api/platform/document';
import { itemLinkName, itemLinkOf, type ItemLinkAttributes } from './links/item-link-attributes';
import { safeAddress } from './links/safe-address';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { itemLabel } from '../../api/label';
import { itemQuery } from '../../api/queries';

interface DocumentContentProps {
  readonly document: DocumentNode;
  /** Whether links can be followed. */
  readonly hasLinks: boolean;
}

/** A structured document as people read it. What is not known is shown as its text. */
export function DocumentContent({ document, hasLinks }: DocumentContentProps) {
  return <>{contentOf(document, hasLinks)}</>;
}

function contentOf({ content = [] }: DocumentNode, hasLinks: boolean): readonly ReactNode[] {
  // The parts of one document are drawn once.
  return content.map((node, index) => <Part key={index} node={node} hasLinks={hasLinks} />);
}

function Part({ node, hasLinks }: { readonly node: DocumentNode; readonly hasLinks: boolean }) {
  const content = contentOf(node, hasLinks);
  switch (node.type) {
    case 'text':
      return (node.marks ?? []).reduce<ReactNode>((text, mark) => marked(text, mark, hasLinks), node.text);
    case 'hardBreak':
      return <br />;
    case 'horizontalRule':
      return <hr />;
    case 'heading':
      // No heading of the page, whose order it would disturb.
      return <p data-heading={String(node.attrs?.['level'])}>{content}</p>;
    case 'orderedList':
      return <ol start={startOf(node)}>{content}</ol>;
    case 'codeBlock':
      return (
        <pre>
          <code>{content}</code>
        </pre>
      );
    case 'bulletList':
      return <ul>{content}</ul>;
    case 'listItem':
      return <li>{content}</li>;
    case 'blockquote':
      return <blockquote>{content}</blockquote>;
    default:
      return <p dir="auto">{content.length === 0 ? <br /> : content}</p>;
  }
}

const markElements: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
};

function marked(text: ReactNode, { type, attrs }: DocumentMark, hasLinks: boolean): ReactNode {
  const element = markElements[type];
  if (element !== undefined) return createElement(element, {}, text);
  const item = type === itemLinkName ? itemLinkOf(attrs) : undefined;
  if (item !== undefined && hasLinks) return <ItemLink item={item}>{text}</ItemLink>;
  if (item !== undefined) return <span className="document-link">{text}</span>;
  const address = safeAddress(attrs?.['href']);
  if (type !== 'link' || address === undefined) return text;
  if (!hasLinks) return <span className="document-link">{text}</span>;
  return (
    <a href={address} rel="noreferrer noopener" target="_blank">
      {text}
    </a>
  );
}

function startOf({ attrs }: DocumentNode): number | undefined {
  const start = attrs?.['start'];
  return typeof start === 'number' ? start : undefined;
}

interface ItemLinkProps {
  readonly item: ItemLinkAttributes;
  readonly children: ReactNode;
}

/** A link to an item, with what the item is called by now as its title. */
function ItemLink({ item: { type, id }, children }: ItemLinkProps) {
  const [isWanted, setIsWanted] = useState(false);
  const item = useQuery({ ...itemQuery(type, id), enabled: isWanted });
  const want = (): void => setIsWanted(true);
  return (
    <Anchor
      component={Link}
      inherit
      to={`/content/${type}/${id}`}
      title={item.data === undefined ? undefined : itemLabel(item.data)}
      onPointerEnter={want}
      onFocus={want}
    >
      {children}
    </Anchor>
  );
}
