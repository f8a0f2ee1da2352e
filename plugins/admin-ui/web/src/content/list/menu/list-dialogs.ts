import { lazyPart } from '../../../ui/lazy-part';
import type { DeleteDialogProps } from '../../delete-dialog';
import type { BulkDialogProps } from '../bulk/bulk-dialog';
import type { ColumnChooserProps } from '../columns/column-chooser';
import type { ExportDialogProps } from '../export/export-dialog';
import type { ViewDialogProps } from '../views/view-dialog';

/** The dialogs of a list; none is in sight when a list opens, so their scripts are loaded after it. */

export const LazyDeleteDialog = lazyPart<DeleteDialogProps>(
  async () => (await import('../../delete-dialog')).DeleteDialog,
  ({ item }) => item !== undefined,
);

export const LazyBulkDialog = lazyPart<BulkDialogProps>(
  async () => (await import('../bulk/bulk-dialog')).BulkDialog,
  ({ action }) => action !== undefined,
  undefined,
  ({ selection }) => selection.kind === 'matches' || selection.items.size > 0,
);

export const LazyViewDialog = lazyPart<ViewDialogProps>(
  async () => (await import('../views/view-dialog')).ViewDialog,
  ({ question }) => question !== undefined,
);

export const LazyColumnChooser = lazyPart<ColumnChooserProps>(
  async () => (await import('../columns/column-chooser')).ColumnChooser,
  ({ opened }) => opened,
);

export const LazyExportDialog = lazyPart<ExportDialogProps>(
  async () => (await import('../export/export-dialog')).ExportDialog,
  ({ run }) => run.count !== undefined,
);
