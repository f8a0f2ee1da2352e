import { plainKind, type FieldKind } from '../field-kind';

export const textKind: FieldKind = { ...plainKind, differsByWord: true, type: 'TEXT', hasWords: true };
