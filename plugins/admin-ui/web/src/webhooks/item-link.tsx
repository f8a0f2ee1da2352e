import { Link } from 'react-router-dom';

/** The history of the item that a change is of, which also deleted items have. @param subject `product/5` */
export function ItemLink({ subject }: { readonly subject: string }) {
  return (
    <Link to={`/content/${subject}/history`} className="cell-link">
      {subject}
    </Link>
  );
}
