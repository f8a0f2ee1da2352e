import { lazyPart } from '../../ui/lazy-part';
import type { PackageDialogProps } from './package-dialog';

/** Loaded when it is first opened. */
export const PackageDialog = lazyPart<PackageDialogProps>(
  async () => (await import('./package-dialog')).PackageDialog,
  ({ opened }) => opened,
  undefined,
  () => false,
);
