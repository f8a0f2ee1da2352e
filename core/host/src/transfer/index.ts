export { exportItems } from './export/export-items';
export type { ExportCondition, ExportConditionGroup, ExportOptions } from './export/export-options';
export { importItems } from './import/import-items';
export type { ImportOptions, ImportOutcome, MappingOptions } from './import/import-options';
export type { ImportProblem } from '@gantry/contracts';
export { TransferError } from './transfer-error';
export { formatOfFile, transferFormats } from './transfer-format';
export type { TransferFormat } from './transfer-format';
