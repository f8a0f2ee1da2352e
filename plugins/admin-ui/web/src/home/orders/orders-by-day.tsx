import type { OrderDay } from '../../operations/api/orders';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ordersByDayQuery } from '../../operations/api/queries';

const dates = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A column for each of the last days; its height is the number of orders that were placed. */
export function OrdersByDay() {
  const { data: days = [] } = useQuery(ordersByDayQuery);
  const most = Math.max(...days.map(({ placed }) => placed));
  if (days.length === 0 || most === 0) return null;
  return (
    <figure className="home-days">
      <Group component="figcaption" justify="space-between">
        Orders per day
        <Text size="sm" c="var(--color-text)" fw="bold" span>
          {days.at(-1)?.placed.toLocaleString()} today
        </Text>
      </Group>
      <ol>
        {days.map((day) => (
          <li key={day.day} title={textOf(day)}>
            <span className="visually-hidden">{textOf(day)}</span>
            <span className="home-day" style={{ height: `${(100 * day.placed) / most}%` }} />
          </li>
        ))}
      </ol>
      <div className="home-days-ends" aria-hidden="true">
        <span>{dateText(days[0])}</span>
        <span>Today</span>
      </div>
    </figure>
  );
}

function textOf(day: OrderDay): string {
  return `${dateText(day)}: ${day.placed.toLocaleString()}`;
}

function dateText(day: OrderDay | undefined): string {
  return day === undefined ? '' : dates.format(new Date(day.day));
}
