import { Link } from 'react-router-dom';

export interface ItemLinkProps {
  /** `product/5` */
  readonly subject: string;
  readonly name: string;
}

/** The history of the item that a change is of, which also deleted items have. */
export function ItemLink({ subject, name }: ItemLinkProps) {
  return (
    <Link to={`/content/${subject}/history`} className="row-name">
      <bdi>{name}</bdi>
    </Link>
  );
}
