import { Button, Group, Text } from '@mantine/core';
import { createContext, useContext, useEffect, useState, type ReactNode, type RefObject } from 'react';
import { useBlocker } from 'react-router-dom';
import { commonDrawers, withoutDrawers } from '../reference/drawers';
import { Dialog } from '../../ui/dialog';

/** Whether the form at a level has something unsaved: 0 is the page, the others are drawers over it. */
type UnsavedForms = Map<number, RefObject<boolean>>;

const UnsavedContext = createContext<UnsavedForms | undefined>(undefined);

export interface UnsavedScopeProps {
  readonly title?: string;
  readonly text?: string;
  readonly leave?: string;
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
  children,
}: UnsavedScopeProps) {
  const [forms] = useState<UnsavedForms>(() => new Map());
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isSamePage =
      currentLocation.pathname === nextLocation.pathname &&
      withoutDrawers(currentLocation.search) === withoutDrawers(nextLocation.search);
    const kept = isSamePage ? commonDrawers(currentLocation.search, nextLocation.search) : -1;
    return [...forms].some(([level, dirty]) => level > kept && dirty.current);
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if ([...forms.values()].some((dirty) => dirty.current)) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [forms]);
  return (
    <UnsavedContext value={forms}>
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
          <Button color="red.9" onClick={() => blocker.proceed?.()}>
            {leave}
          </Button>
        </Group>
      </Dialog>
    </UnsavedContext>
  );
}

/** Lets the guard of the page know of a form. */
export function useUnsaved(level: number, dirty: RefObject<boolean>): void {
  const forms = useContext(UnsavedContext);
  useEffect(() => {
    forms?.set(level, dirty);
    return () => void forms?.delete(level);
  }, [forms, level, dirty]);
}
