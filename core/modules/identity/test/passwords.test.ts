import type * as Argon2 from '@node-rs/argon2';
import { hash, verify } from '@node-rs/argon2';
import { createPasswords } from '../src/sign-in/passwords';

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof Argon2>('@node-rs/argon2');
  return { hash: jest.fn(real.hash), verify: jest.fn(real.verify) };
});

const password = 'correct horse battery staple';

describe('passwords', () => {
  it('are stored as argon2id with 19 MiB and two passes', async () => {
    await expect(createPasswords().hash(password)).resolves.toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('match what was stored, in whatever form the characters are composed', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('caf\u00e9 and tea');

    await expect(passwords.matches('cafe\u0301 and tea', stored)).resolves.toBe(true);
    await expect(passwords.matches('cafe and tea', stored)).resolves.toBe(false);
  });

  it('cost the same work for an account that does not exist, or has none', async () => {
    const passwords = createPasswords();
    jest.mocked(verify).mockClear();

    await expect(passwords.matches(password, undefined)).resolves.toBe(false);

    expect(verify).toHaveBeenCalledTimes(1);
    expect(jest.mocked(verify).mock.calls[0]?.[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('are compared again after a time in which too many waited, also where there is none', async () => {
    const stored = await createPasswords().hash(password);
    const passwords = createPasswords(1);
    const waiting = Array.from({ length: 51 }, () => passwords.matches(password, stored));

    await expect(passwords.matches(password, undefined)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(passwords.matches(password, stored)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await Promise.all(waiting);

    await expect(passwords.matches(password, undefined)).resolves.toBe(false);
    await expect(passwords.matches(password, stored)).resolves.toBe(true);
  });

  it.each(['seven77', 'x'.repeat(1_025), 'password1', 'QWERTYUIOP'])('cannot be %s', async (weak) => {
    jest.mocked(hash).mockClear();

    await expect(createPasswords().hash(weak)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });

    expect(hash).not.toHaveBeenCalled();
  });

  it('are hashed one at a time where there is one core to spare, and refused when 50 wait', async () => {
    const passwords = createPasswords(1);
    let running = 0;
    let most = 0;
    jest.mocked(hash).mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return 'hashed';
    });

    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash(password)));

    expect(most).toBe(1);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(51);
    expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
  });
});
