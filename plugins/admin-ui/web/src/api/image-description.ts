import { queryOptions } from '@tanstack/react-query';
import { listItems, type Item } from './items';
import { numberText } from './json';

/** Type code of the descriptions of uploaded images; platforms without the plugin `media` have no such type. */
export const imageDescriptionType = 'mediaimage';

/** A point of an image, as parts of its width and height. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** The description of an uploaded image, or null. Descriptions that pages request together are read together. */
export const imageDescriptionQuery = (address: string) =>
  queryOptions({
    queryKey: ['image-description', address],
    queryFn: () => findDescription(address),
    staleTime: 30_000,
  });

/** Addresses in one request at most. */
const maxAsked = 100;

const findDescription = createBatches(async (addresses): Promise<ReadonlyMap<string, Item>> => {
  const value = JSON.stringify(addresses);
  const criteria = [{ field: 'address', operator: 'IN' as const, value }];
  const { items } = await listItems(imageDescriptionType, { limit: maxAsked, criteria });
  return new Map(items.map((item) => [String(item.values['address']), item]));
});

/** Collects the requests of one turn of the event loop, and makes one call for each {@link maxAsked} of them. */
function createBatches(find: (addresses: readonly string[]) => Promise<ReadonlyMap<string, Item>>) {
  let batch: { readonly addresses: string[]; readonly found: Promise<ReadonlyMap<string, Item>> } | undefined;
  return async (address: string): Promise<Item | null> => {
    if (batch === undefined || batch.addresses.length >= maxAsked) {
      const addresses: string[] = [];
      const found = new Promise((resolve) => setTimeout(resolve)).then(() => {
        if (batch?.addresses === addresses) batch = undefined;
        return find(addresses);
      });
      batch = { addresses, found };
    }
    batch.addresses.push(address);
    return (await batch.found).get(address) ?? null;
  };
}

/** The point of a value of a row or of the text of its JSON, as forms hold it. */
export function focalPointOf(value: unknown): FocalPoint | undefined {
  const given: unknown = typeof value === 'string' ? parsed(value) : value;
  if (typeof given !== 'object' || given === null) return undefined;
  const { x, y } = given as Readonly<Record<string, unknown>>;
  const [left, top] = [partOf(x), partOf(y)];
  return left === undefined || top === undefined ? undefined : { x: left, y: top };
}

function partOf(value: unknown): number | undefined {
  const part = Number(numberText(value) ?? Number.NaN);
  return part >= 0 && part <= 1 ? part : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
