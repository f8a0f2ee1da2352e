import { Fragment } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { RightIcon } from '../icons';

/** Pages to which a page belongs, from the outermost: the links above its title. */
export function Breadcrumb({
  links,
}: {
  readonly links: readonly (Pick<LinkProps, 'to' | 'state'> & { readonly text: string })[];
}) {
  return (
    <nav aria-label="Breadcrumb">
      {links.map(({ text, ...link }, index) => (
        <Fragment key={text}>
          {index === 0 ? null : <RightIcon size={14} />}
          <Link {...link} className="clipped">
            {text}
          </Link>
        </Fragment>
      ))}
    </nav>
  );
}
