import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { documentGroups, type Document, type DocumentEntry } from 'virtual:documents';
import { loadScript } from '../api/load-page';
import { PageHeader } from '../ui/page';
import { useFollowedLinks } from '../ui/quick-link';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import './documentation.css';

const all = documentGroups.flatMap(({ documents }) => documents);

/** A document, beside the list of all of them and its own headings. */
export function DocumentationPage() {
  const { name = all[0]?.name } = useParams();
  const entry = all.find((one) => one.name === name);
  return (
    <div className="documentation">
      <nav aria-label="Documents" className="document-list">
        {documentGroups.map(({ label, documents }) => (
          <div key={label} role="group" aria-label={label}>
            <div className="document-group">{label}</div>
            {documents.map((one) => (
              <Link
                key={one.name}
                to={`/documentation/${one.name}`}
                aria-current={one.name === name ? 'page' : undefined}
              >
                {one.title}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      {entry === undefined ? <UnknownDocument /> : <DocumentView entry={entry} />}
    </div>
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
