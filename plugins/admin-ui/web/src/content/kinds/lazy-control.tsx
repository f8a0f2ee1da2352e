import { Skeleton } from '@mantine/core';
import type { ComponentType } from 'react';
import { lazyPart, type LazyComponent } from '../../ui/lazy-part';
import type { ControlProps } from './field-view';

/**
 * The control of a field in a separate chunk, which keeps its place until it is loaded.
 * @param height of that place, in CSS pixels
 */
export function lazyControl<Props extends object = ControlProps>(
  load: () => Promise<ComponentType<Props>>,
  height = 58,
): LazyComponent<Props> {
  return lazyPart<Props>(
    load,
    () => true,
    () => <Skeleton height={height} />,
  );
}
