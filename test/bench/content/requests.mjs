import { inTurn, load, median } from '../lib/load.mjs';

const items = '/api/cms/items/product';

/** Requests a second of the host and of the hand-written server, in turn, and the ratio pair by pair. */
export async function compareRequests(host, handWritten, { seconds, rounds, products }) {
  const results = [];
  for (const scenario of scenarios(products)) {
    const run = ({ address }, time = seconds) =>
      load(`${address}${scenario.path}`, { seconds: time, ...scenario.options });
    await run(host, 1);
    const pairs = await inTurn(
      rounds,
      () => run(host),
      () => run(handWritten),
    );
    results.push({
      scenario: scenario.name,
      host: median(pairs.map(([own]) => own.perSecond)),
      handWritten: median(pairs.map(([, other]) => other.perSecond)),
      ratio: median(pairs.map(([own, other]) => own.perSecond / other.perSecond)),
      hostP99: median(pairs.map(([own]) => own.p99)),
      wrongAnswers: pairs.flat().reduce((sum, { wrong }) => sum + wrong, 0),
    });
  }
  return results;
}

function scenarios(products) {
  let created = 0;
  const criterion = (field, operator, value) => JSON.stringify([{ field, operator, value }]);
  return [
    { name: 'list, first page (50)', path: `${items}/list`, options: { body: '[]' } },
    {
      name: 'list, CONTAINS (limit 25)',
      path: `${items}/list?limit=25`,
      options: { body: criterion('name', 'CONTAINS', 'limited') },
    },
    {
      name: 'list, MORE_THAN (limit 25)',
      path: `${items}/list?limit=25`,
      options: { body: criterion('price', 'MORE_THAN', '5000') },
    },
    { name: 'get one', path: `${items}/${Math.floor(products / 2)}`, options: { method: 'GET' } },
    {
      name: 'create',
      path: items,
      options: {
        bodies() {
          created += 1;
          return JSON.stringify({
            code: `N${process.pid}-${created}`,
            name: `New product ${created}`,
            price: 12.5,
            catalog: 1 + (created % 10),
          });
        },
      },
    },
  ];
}
