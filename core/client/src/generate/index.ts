export { printClientTypes, printPlatformTypes } from './print-client-types';
