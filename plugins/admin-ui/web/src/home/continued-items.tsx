import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { ItemChange } from '../api/changes';
import { itemName } from '../api/label';
import { typesQuery } from '../api/queries';
import { isStoredImage } from '../content/thumbnail';
import { TypeIcon } from '../ui/icons';
import { RecentTime } from '../ui/time/relative-time';
import { Surface } from '../ui/surface';
import { ownChangesQuery } from './changes-queries';

const maxItems = 4;

/** The items that the reader changed last. */
export function ContinuedItems() {
  const { data: types = [] } = useQuery(typesQuery);
  const { data: changes = [], dataUpdatedAt } = useQuery(ownChangesQuery);
  const items = lastItems(changes);
  if (items.length === 0) return null;
  return (
    <Surface title="Continue where you stopped">
      <ul className="home-cards">
        {items.map(({ type, id, at, values = {} }) => {
          const known = types.find((one) => one.type === type);
          return (
            <li key={`${type} ${id}`}>
              <Link to={`/content/${type}/${id}`} className="home-card">
                <span className="home-picture">
                  <Picture values={values} icon={known?.icon} />
                </span>
                <b className="home-card-label">{itemName({ id, values }, known)}</b>
              </Link>
              <span className="home-card-note">
                {known?.displayName ?? type}, <RecentTime value={at} now={dataUpdatedAt} />
              </span>
            </li>
          );
        })}
      </ul>
    </Surface>
  );
}

/** Decorative: the label beside it says what it shows. */
function Picture({
  values,
  icon,
}: {
  readonly values: Readonly<Record<string, unknown>>;
  readonly icon?: string | undefined;
}) {
  const path = Object.values(values).find(isImagePath);
  return path === undefined ? (
    <TypeIcon path={icon} size={28} />
  ) : (
    <img src={`${path}?width=320`} alt="" loading="lazy" decoding="async" />
  );
}

function isImagePath(value: unknown): value is string {
  return typeof value === 'string' && isStoredImage(value);
}

/** Each item once, by its last change; without those that are gone. */
function lastItems(changes: readonly ItemChange[]): readonly ItemChange[] {
  const last = new Map<string, ItemChange>();
  for (const change of changes) {
    const key = `${change.type} ${change.id}`;
    if (!last.has(key)) last.set(key, change);
  }
  return [...last.values()].filter(({ action }) => action !== 'deleted' && action !== 'left').slice(0, maxItems);
}
