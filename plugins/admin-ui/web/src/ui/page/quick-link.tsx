import { useEffect, type AnchorHTMLAttributes, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import { basePath } from '../../common/base-path';

/**
 * A link to a page of the application, for places with very many of them: a plain element, which knows nothing of the
 * router and costs a fraction of its links. Its surroundings follow it with `useFollowedLinks`.
 */
export function QuickLink({
  to,
  children,
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }) {
  return (
    <a {...props} href={`${basePath}${to}`} data-to={to}>
      {children}
    </a>
  );
}

/** Opens what a quick link within the element leads to without loading the application again. */
export function useFollowedLinks(around: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate();
  useEffect(() => {
    const element = around.current;
    const follow = (event: MouseEvent): void => {
      const to = isPlainClick(event) ? targetOf(event.target) : undefined;
      if (to === undefined) return;
      event.preventDefault();
      void navigate(to);
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [around, navigate]);
}

/** With a modifier or another button, the browser opens a tab or window as always. */
function isPlainClick(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.button === 0 && !modified && !event.defaultPrevented;
}

/** The page that a quick link leads to, from what was clicked or pressed in it. */
export function targetOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('a[data-to]')?.dataset['to'] : undefined;
}
