import { refusal } from '../web/src/api/request';

describe('a refusal', () => {
  const body = (requestId: string) => ({
    error: { code: 'UNAVAILABLE', message: 'The platform is starting.', requestId },
  });

  it('names the request of the log entry', () => {
    expect(refusal({ status: 503 }, body('abc-1'))).toMatchObject({ status: 503, requestId: 'abc-1' });
  });

  it('names none when nobody numbered it', () => {
    expect(refusal({ status: 503 }, body('none')).requestId).toBeUndefined();
  });
});
