import { createContext, useContext } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** An item that is open beside the form whose field refers to it. */
export interface OpenDrawer {
  readonly type: string;
  /** Undefined for an item that is being created. */
  readonly id: string | undefined;
  /** The field of the form below. */
  readonly field: string;
}

/** Drawers above one another at most; further references lead to a separate page. */
const maxDrawers = 3;

const parameter = 'open';

/** The drawers that an address opens, from the lowest up: `?open=catalog.7.catalog&open=category.new.parent`. */
function drawersOf(search: string): readonly OpenDrawer[] {
  return new URLSearchParams(search)
    .getAll(parameter)
    .flatMap((text) => {
      const [type = '', id = '', field = ''] = text.split('.');
      return type === '' || id === '' || field === '' ? [] : [{ type, id: id === 'new' ? undefined : id, field }];
    })
    .slice(0, maxDrawers);
}

/** How many drawers, from the lowest up, two addresses have in common. */
export function commonDrawers(left: string, right: string): number {
  const [first, second] = [drawersOf(left), drawersOf(right)];
  const different = first.findIndex((drawer, index) => JSON.stringify(drawer) !== JSON.stringify(second[index]));
  return different < 0 ? first.length : different;
}

/** The rest of an address: what the page itself shows. */
export function withoutDrawers(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(parameter);
  return parameters.toString();
}

/** State that the browser keeps with an address that opened a drawer. */
interface DrawerMemory {
  /** The number of drawers then: going back closes the last of them. */
  readonly drawers?: number;
  /** Search text before an item was to be created. */
  readonly typed?: string;
}

/** How many drawers are below a form; undefined where there is no form. */
export const DrawerLevel = createContext<number | undefined>(undefined);

/** The drawers of the address, and ways to open and close them. */
export function useDrawers() {
  const location = useLocation();
  const navigate = useNavigate();
  const drawers = drawersOf(location.search);
  const memory = (location.state ?? {}) as DrawerMemory;
  const searchWith = (shown: readonly OpenDrawer[]): string => {
    const parameters = new URLSearchParams(location.search);
    parameters.delete(parameter);
    for (const { type, id = 'new', field } of shown) parameters.append(parameter, `${type}.${id}.${field}`);
    return `?${parameters}`;
  };
  return {
    drawers,
    /** Search text before the topmost item was to be created. */
    typed: memory.drawers === drawers.length ? memory.typed : undefined,
    /** The address with a drawer over the form at a level. */
    hrefOf: (level: number, drawer: OpenDrawer): string => searchWith([...drawers.slice(0, level), drawer]),
    memoryOf: (level: number, typed?: string): DrawerMemory => ({
      drawers: level + 1,
      ...(typed === undefined ? {} : { typed }),
    }),
    /** Closes the drawer over the form at a level, by going back to where it was opened if that is known. */
    close(level: number): void {
      if (memory.drawers === level + 1 && drawers.length === level + 1) void navigate(-1);
      else void navigate(searchWith(drawers.slice(0, level)), { replace: true });
    },
  };
}

/** The form that contains a reference, if it may open drawers. */
export function useDrawerLevel(): number | undefined {
  const level = useContext(DrawerLevel);
  return level === undefined || level >= maxDrawers ? undefined : level;
}
