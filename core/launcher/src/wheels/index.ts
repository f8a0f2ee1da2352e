export { cacheFolder } from '../common/cache-folder';
export { findWheelProgram } from './find-wheel-program';
export type { FindWheelOptions } from './find-wheel-program';
export { temporalWheel } from './temporal-wheel';
export type { WheelProgram } from './wheel-program';
