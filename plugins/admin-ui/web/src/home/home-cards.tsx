import type { HomeCard } from '@gantry/contracts';
import { Anchor, Text } from '@mantine/core';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { textOf, ViewValue } from '../plugin-ui/views/view-value';
import { rowsQuery, type ViewRow } from '../plugin-ui/views/rows-query';
import { Surface } from '../ui/surface';
import { ErrorState, LoadingState } from '../ui/states';

const refreshMs = 60_000;
/** Rows that a card shows. */
const maxRows = 10;

/** Asks for the rows of all cards. */
export async function loadCards(client: QueryClient, cards: readonly HomeCard[]): Promise<void> {
  await Promise.allSettled(cards.map(({ path }) => client.query(rowsQuery(path))));
}

/** The cards of plugins and modules; one that fails or waits leaves the others as they are. */
export function HomeCards({ cards }: { readonly cards: readonly HomeCard[] }) {
  return cards.map((card) => <Card key={`${card.plugin} ${card.name}`} card={card} />);
}

/** Not drawn while it has no rows. */
function Card({ card }: { readonly card: HomeCard }) {
  const rows = useQuery({ ...rowsQuery(card.path), refetchInterval: refreshMs });
  if (rows.data?.length === 0) return null;
  return (
    <Surface title={card.title}>
      {rows.error === null ? null : (
        <ErrorState error={rows.error} title="This card could not be loaded" onRetry={() => void rows.refetch()} />
      )}
      {rows.isPending ? <LoadingState rows={1} /> : null}
      <ul className="home-list">
        {rows.data?.slice(0, maxRows).map((row, index) => (
          <li key={index}>
            <CardText card={card} row={row} now={rows.dataUpdatedAt} />
            {card.value === undefined ? null : (
              <Text component="span" size="sm" c="dimmed" className="home-note">
                <ViewValue member={card.value} row={row} now={rows.dataUpdatedAt} />
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Surface>
  );
}

interface CardTextProps {
  readonly card: HomeCard;
  readonly row: ViewRow;
  readonly now: number;
}

function CardText({ card: { text, link }, row, now }: CardTextProps) {
  const shown = <ViewValue member={text} row={row} now={now} />;
  if (link === undefined) return <span className="long-text">{shown}</span>;
  const to = link.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(row[name])));
  return (
    <Anchor component={Link} to={to} inherit>
      {shown}
    </Anchor>
  );
}
