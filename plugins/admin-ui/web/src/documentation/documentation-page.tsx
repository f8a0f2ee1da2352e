import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { documentGroups, type Document, type DocumentEntry } from 'virtual:documents';
import { loadScript } from '../api/load-page';
import { ChevronIcon } from '../ui/icons';
import { PageHeader } from '../ui/page/page';
import { useFollowedLinks } from '../ui/page/quick-link';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import './documentation.css';

const all = documentGroups.flatMap(({ documents }) => documents);

/** A document, beside the list of all of them and its own headings. */
export function DocumentationPage() {
  const { name = all[0]?.name } = useParams();
  const entry = all.find((one) => one.name === name);
  return (
    <div className="documentation">
      <DocumentList current={entry} />
      {entry === undefined ? <UnknownDocument /> : <DocumentView entry={entry} />}
    </div>
  );
}

/** All documents; a narrow window shows them on request, because they would be all of its first view. */
function DocumentList({ current }: { readonly current: DocumentEntry | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const list = useId();
  return (
    <nav aria-label="Documents" className="document-list" data-open={isOpen || undefined}>
      <Button
        variant="default"
        fullWidth
        justify="space-between"
        className="document-list-opener"
        rightSection={<ChevronIcon size={16} />}
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setIsOpen(!isOpen)}
      >
        All documents
      </Button>
      <div id={list} className="document-list-entries">
        {documentGroups.map(({ label, documents }) => (
          <div key={label} role="group" aria-label={label}>
            <div className="document-group">{label}</div>
            {documents.map((one) => (
              <Link
                key={one.name}
                to={`/documentation/${one.name}`}
                aria-current={one === current ? 'page' : undefined}
                onClick={() => setIsOpen(false)}
              >
                {one.title}
              </Link>
            ))}
          </div>
        ))}
      </div>
    </nav>
  );
}

function UnknownDocument() {
  return (
    <div className="document">
      <PageHeader title="Document not found" />
      <EmptyState title="Not found">Choose a document from the list.</EmptyState>
    </div>
  );
}

function DocumentView({ entry }: { readonly entry: DocumentEntry }) {
  const content = useQuery({
    queryKey: ['document', entry.name],
    queryFn: async () => (await loadScript(() => entry.load())).default,
    staleTime: Infinity,
  });
  const { data } = content;
  return (
    <>
      <article className="document">
        <PageHeader title={entry.title} />
        {content.error === null ? null : (
          <ErrorState
            error={content.error}
            title="The document could not be loaded"
            onRetry={() => void content.refetch()}
          />
        )}
        {content.isPending ? <LoadingState rows={8} /> : null}
        {data === undefined ? null : <Body document={data} />}
      </article>
      {data === undefined || data.headings.length === 0 ? null : (
        <nav aria-label="On this page" className="document-headings">
          <div className="document-group">On this page</div>
          {data.headings.map(({ id, text }) => (
            <a key={id} href={`#${id}`}>
              {text}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}

/** The build makes the HTML from the platform's own documents. */
function Body({ document: { html } }: { readonly document: Document }) {
  const body = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  useFollowedLinks(body);
  useEffect(() => {
    // Ids are those of headings in English: an address that was typed with others names none.
    const id = hash.slice(1);
    if (id === '') window.scrollTo({ top: 0 });
    else document.getElementById(id)?.scrollIntoView();
  }, [hash, key]);
  return <div ref={body} className="document-body surface" dangerouslySetInnerHTML={{ __html: html }} />;
}
