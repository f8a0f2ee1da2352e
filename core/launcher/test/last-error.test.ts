import { lastErrorOf } from '../src/supervisor/last-error';

describe('lastErrorOf', () => {
  it('finds the error that nobody caught', () => {
    const lines = [
      '/app/index.js:1',
      'throw new RangeError("too far")',
      '^',
      '',
      'RangeError: too far',
      '    at file',
      '',
      'Node.js v22.1.0',
    ];
    expect(lastErrorOf(lines)).toBe('RangeError: too far');
  });

  it('does not take an error that was only logged for the cause', () => {
    expect(lastErrorOf(['TypeError: logged and survived', '    at file'])).toBeUndefined();
  });

  it('knows when the memory ran out', () => {
    const line = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
    expect(lastErrorOf(['<--- Last few GCs --->', line])).toBe(line);
  });
});
