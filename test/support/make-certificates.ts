import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** In the PEM format. */
export interface Certificates {
  /** The certificate of the authority, which signed the other one. */
  readonly authority: string;
  /** For `localhost` and 127.0.0.1. */
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes an authority and a certificate of a server, without a program such as openssl. */
export async function makeCertificates(): Promise<Certificates> {
  cryptoProvider.set(webcrypto as never);
  const [ofAuthority, ofServer] = await Promise.all([makeKeys(), makeKeys()]);
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority',
    keys: ofAuthority,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const names = [
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ] as const;
  const server = await X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: ofServer.publicKey,
    signingKey: ofAuthority.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(false, undefined, true), new SubjectAlternativeNameExtension(names)],
  });
  return {
    authority: authority.toString('pem'),
    cert: server.toString('pem'),
    key: KeyObject.from(ofServer.privateKey as webcrypto.CryptoKey)
      .export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as never;
}
