import { Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router-dom';
import { commonDrawers, withoutDrawers } from '../reference/drawers';
import { Dialog } from '../../ui/dialog';

interface UnsavedForms {
  /** Whether the form at a level has something unsaved: 0 is the page, the others are drawers over it. */
  readonly byLevel: Map<number, () => boolean>;
  /** Called when a form has nothing unsaved any more. */
  settle(): void;
}

const UnsavedContext = createContext<UnsavedForms | undefined>(undefined);

export interface UnsavedScopeProps {
  readonly title?: string;
  readonly text?: string;
  readonly leave?: string;
  /** Answer to the question when all changes are saved meanwhile: leave as requested, or stay and see the result. */
  readonly whenSettled?: 'leave' | 'stay';
  readonly children: ReactNode;
}

/**
 * Asks before unsaved changes are left: by a link, by Back, by closing a drawer, or by closing the tab. There is one for a
 * page and its drawers, because the router asks one guard only.
 */
export function UnsavedScope({
  title = 'Leave without saving?',
  text = 'The changes in this form are not saved and would be lost.',
  leave = 'Leave without saving',
  whenSettled = 'leave',
  children,
}: UnsavedScopeProps) {
  const [forms] = useState(() => new Map<number, () => boolean>());
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isSamePage =
      currentLocation.pathname === nextLocation.pathname &&
      withoutDrawers(currentLocation.search) === withoutDrawers(nextLocation.search);
    const kept = isSamePage ? commonDrawers(currentLocation.search, nextLocation.search) : -1;
    return [...forms].some(([level, isUnsaved]) => level > kept && isUnsaved());
  });
  const latest = useRef(blocker);
  useEffect(() => {
    latest.current = blocker;
  }, [blocker]);
  const [context] = useState<UnsavedForms>(() => ({
    byLevel: forms,
    settle() {
      if ([...forms.values()].some((isUnsaved) => isUnsaved())) return;
      if (whenSettled === 'leave') latest.current.proceed?.();
      else latest.current.reset?.();
    },
  }));
  useWindowEvent('beforeunload', (event) => {
    if ([...forms.values()].some((isUnsaved) => isUnsaved())) event.preventDefault();
  });
  return (
    <UnsavedContext value={context}>
      {children}
      <Dialog
        opened={blocker.state === 'blocked'}
        onClose={() => blocker.reset?.()}
        title={title}
        // Over drawers.
        zIndex={400}
      >
        <Text>{text}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
            Stay here
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {leave}
          </Button>
        </Group>
      </Dialog>
    </UnsavedContext>
  );
}

/**
 * Lets the guard of the page know of a form.
 * @param isUnsaved as it is at the moment
 * @param now the same, as it is drawn
 */
export function useUnsaved(level: number, isUnsaved: () => boolean, now: boolean): void {
  const forms = useContext(UnsavedContext);
  useEffect(() => {
    forms?.byLevel.set(level, isUnsaved);
    return () => void forms?.byLevel.delete(level);
  });
  useEffect(() => {
    if (!now) forms?.settle();
  }, [forms, now]);
}
