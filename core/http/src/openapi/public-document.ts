import type { OpenApiDocument, Paths } from './document';

/** Whether a request without a credential reaches what is at the path. */
type IsReachable = (asked: { readonly method: string; readonly path: string }) => boolean;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The part of a document that is about operations which need no credential. What only other operations refer to is left out. */
export function publicDocument(document: OpenApiDocument, isReachable: IsReachable): OpenApiDocument {
  const paths = publicPaths(document.paths, isReachable);
  const operations = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  const { schemas, responses, parameters, headers, securitySchemes } = document.components;
  const used = referencedFrom(paths, document);
  const kept = <T>(kind: string, parts: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`#/components/${kind}/${name}`)));
  return {
    ...document,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: {
      schemas: kept('schemas', schemas),
      responses: kept('responses', responses),
      parameters: kept('parameters', parameters),
      headers: kept('headers', headers),
      securitySchemes,
    },
  };
}

function publicPaths(paths: Paths, isReachable: IsReachable): Paths {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, { parameters, ...item }]) => {
      // Any id, and any type of the document.
      const asked = path.replaceAll('{type}', 'type').replaceAll(/\{\w+\}/g, '1');
      const reachable = methods.flatMap((method) => {
        const operation = item[method];
        const isKept = operation !== undefined && isReachable({ method: method.toUpperCase(), path: asked });
        return isKept ? [[method, operation] as const] : [];
      });
      if (reachable.length === 0) return [];
      return [[path, { ...Object.fromEntries(reachable), ...(parameters === undefined ? {} : { parameters }) }]];
    }),
  );
}

/** All references of a part, and of what they refer to. */
function referencedFrom(part: unknown, { components }: OpenApiDocument): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key !== '$ref' || typeof member !== 'string') visit(member);
      else if (!found.has(member)) {
        found.add(member);
        const [, , kind, name] = member.split('/');
        const parts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { ...components };
        visit(parts[kind ?? '']?.[name ?? '']);
      }
    }
  };
  visit(part);
  return found;
}
