import { useEffect, useRef, type RefObject } from 'react';
import { hasCharacterKeys } from '../../ui/keys/character-keys';

/** Elements of a row that the arrow keys reach; its other buttons are for the pointer. */
const rowControls = 'a[href], button:not([tabindex="-1"][aria-hidden]), input';

/** Actions of letters on the item of the focused row, by its address. */
export type ListLetters = Readonly<Record<string, ((address: string) => void) | undefined>>;

/**
 * The keys of a list. Its head and its current row are one stop each for the Tab key: arrows go on from there, to the next control
 * and the next row. Enter opens an item, the space bar selects it.
 */
export function useListKeys(around: RefObject<HTMLElement | null>, letters: ListLetters): void {
  const latest = useRef(letters);
  useEffect(() => {
    latest.current = letters;
  });
  useEffect(() => {
    const element = around.current;
    if (element === null) return undefined;
    const list = createStops(element, (key) => latest.current[key]);
    const observer = new MutationObserver(list.settle);
    observer.observe(element, { childList: true, subtree: true });
    element.addEventListener('focusin', list.note);
    element.addEventListener('keydown', list.press);
    list.settle();
    return () => {
      observer.disconnect();
      element.removeEventListener('focusin', list.note);
      element.removeEventListener('keydown', list.press);
    };
  }, [around]);
}

function createStops(element: HTMLElement, letterOf: (key: string) => ListLetters[string]) {
  /** The address of the row that the Tab key leads to. */
  let current: string | undefined;
  /** The end of the list that the focus waits for, until its row is drawn. */
  let wanted: 'first' | 'last' | undefined;
  const rows = (): readonly HTMLElement[] => [...element.querySelectorAll<HTMLElement>('[data-row]')];
  const heads = (): readonly HTMLElement[] => [
    ...element.querySelectorAll<HTMLElement>('thead :is([data-stop], input)'),
  ];

  const settle = (): void => {
    setStop(heads(), (head) => head.tabIndex === 0);
    const drawn = rows();
    const stop = drawn.find(({ dataset }) => dataset['row'] === current) ?? drawn[0];
    for (const row of drawn) {
      for (const control of controlsOf(row)) control.tabIndex = row === stop ? 0 : -1;
    }
    const isDrawn = element.scrollTop + element.clientHeight >= element.scrollHeight - 2;
    if (wanted === 'last' && isDrawn) focusRow(drawn.at(-1));
    if (wanted === 'first' && drawn[0]?.dataset['index'] === '0') focusRow(drawn[0]);
  };
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const row = target.closest<HTMLElement>('[data-row]');
    if (row !== null && row.dataset['row'] !== current) {
      current = row.dataset['row'];
      settle();
    } else if (heads().includes(target)) setStop(heads(), (head) => head === target);
  };
  const focusRow = (row: HTMLElement | undefined, position = linkPosition(row)): void => {
    wanted = undefined;
    const controls = row === undefined ? [] : controlsOf(row);
    (controls[Math.min(position, controls.length - 1)] ?? element).focus();
    row?.scrollIntoView({ block: 'nearest' });
  };

  const focusCurrent = (): void => {
    const drawn = rows();
    focusRow(drawn.find(({ dataset }) => dataset['row'] === current) ?? drawn[0]);
  };

  const pressInHead = ({ key, shiftKey }: KeyboardEvent, target: HTMLElement): boolean => {
    const stops = heads();
    const at = stops.indexOf(target);
    if (at < 0) return false;
    // The edge of the column does with the key what it does where it has the focus.
    if (shiftKey) return resizeBy(key, target);
    if (key === 'ArrowDown') {
      focusCurrent();
    } else {
      const next = positionAfter(key, at, stops.length, isFromRight(element));
      if (next === undefined) return false;
      stops[next]?.focus();
    }
    return true;
  };
  /** To the same control of the next row, or from the first one to the head. */
  const moveToRow = (row: HTMLElement, step: number, position: number): void => {
    const drawn = rows();
    const next = drawn[drawn.indexOf(row) + step];
    if (next !== undefined) focusRow(next, position);
    else if (step < 0) {
      const head = heads().find(({ tabIndex }) => tabIndex === 0);
      head?.focus();
    }
  };
  const moveToEnd = (end: 'first' | 'last'): void => {
    wanted = end;
    element.scrollTo({ top: end === 'last' ? element.scrollHeight : 0 });
    settle();
  };
  const pressInRow = (event: KeyboardEvent, row: HTMLElement, target: HTMLElement): boolean => {
    const { key } = event;
    const controls = controlsOf(row);
    const at = controls.indexOf(target);
    if (at < 0) return false;
    if (pressLetter(event, row) || openOrSelect(event, row, target)) return true;
    if (key === 'ArrowDown' || key === 'ArrowUp') moveToRow(row, key === 'ArrowDown' ? 1 : -1, at);
    else if (key === 'Home' || key === 'End') moveToEnd(key === 'End' ? 'last' : 'first');
    else {
      const next = positionAfter(key, at, controls.length, isFromRight(element));
      if (next === undefined) return false;
      controls[next]?.focus();
    }
    return true;
  };
  const pressLetter = ({ key, shiftKey }: KeyboardEvent, { dataset: { row: address } }: HTMLElement): boolean => {
    const letter = shiftKey || !hasCharacterKeys() ? undefined : letterOf(key.toLowerCase());
    if (letter === undefined || address === undefined) return false;
    letter(address);
    return true;
  };
  const press = (event: KeyboardEvent): void => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (!(target instanceof HTMLElement) || event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    const row = target.closest<HTMLElement>('[data-row]');
    const isDone =
      row === null
        ? target === element && key === 'ArrowDown'
          ? (focusCurrent(), true)
          : pressInHead(event, target)
        : pressInRow(event, row, target);
    if (isDone) event.preventDefault();
  };
  return { settle, note, press };
}

/** Enter on the box of a row opens its item, and the space bar on the link selects it; what else they do is the browser's. */
function openOrSelect({ key, shiftKey }: KeyboardEvent, row: HTMLElement, target: HTMLElement): boolean {
  const link = controlsOf(row)[linkPosition(row)];
  const box = row.querySelector<HTMLInputElement>('input[type="checkbox"]');
  if (key === 'Enter' && target === box) link?.click();
  else if (key === ' ' && target === link && box !== null) {
    box.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey }));
  } else return false;
  return true;
}

function resizeBy(key: string, head: HTMLElement): boolean {
  const edge = head.closest('th')?.querySelector('[role="separator"]');
  if (!edge || !['ArrowLeft', 'ArrowRight', 'Enter'].includes(key)) return false;
  edge.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  return true;
}

function controlsOf(row: HTMLElement): readonly HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(rowControls)];
}

/** Where the link to the item is among the controls of its row. */
function linkPosition(row: HTMLElement | undefined): number {
  return row === undefined ? 0 : controlsOf(row).findIndex((control) => control.matches('.label-link'));
}

/** Of a row of stops, the one that the Tab key leads to: that which is asked for, or else the first. */
function setStop(stops: readonly HTMLElement[], isWanted: (stop: HTMLElement) => boolean): void {
  const found = stops.find(isWanted) ?? stops[0];
  for (const stop of stops) stop.tabIndex = stop === found ? 0 : -1;
}

function positionAfter(key: string, at: number, count: number, fromRight: boolean): number | undefined {
  const [back, on] = fromRight ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
  const next = { [back]: at - 1, [on]: at + 1, Home: 0, End: count - 1 }[key];
  return next === undefined || next < 0 || next >= count ? undefined : next;
}

function isFromRight(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === 'rtl';
}
