import { useNavigate, useSearchParams } from 'react-router-dom';
import { usePageTrail, type PageTrail } from '../../ui/page/use-page-trail';

/** Which page of a log is in sight; the address holds it. */
export function useLogPage(): Omit<PageTrail, 'trail'> & { readonly before: string | undefined } {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const before = parameters.get('before') || undefined;
  const { trail: _trail, ...steps } = usePageTrail(before, (after, trail) => {
    const next = new URLSearchParams(parameters);
    if (after === undefined) next.delete('before');
    else next.set('before', after);
    void navigate({ search: next.toString() }, { state: { trail } });
  });
  return { before, ...steps };
}
