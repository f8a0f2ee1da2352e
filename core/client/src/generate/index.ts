export { printClientTypes } from './print-client-types';
