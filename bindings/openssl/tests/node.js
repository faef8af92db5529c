// SM4-GCM in Node.js: the example of RFC 8998 A.1, sealed and opened.
'use strict';
const assert = require('assert');
const { createCipheriv, createDecipheriv } = require('crypto');

const key = Buffer.from('0123456789abcdeffedcba9876543210', 'hex');
const nonce = Buffer.from('00001234567800000000abcd', 'hex');
const aad = Buffer.from('feedfacedeadbeeffeedfacedeadbeefabaddad2', 'hex');
const message = Buffer.concat([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0xee, 0xaa].map((byte) =>
  Buffer.alloc(8, byte)));

const sealing = createCipheriv('sm4-gcm', key, nonce);
sealing.setAAD(aad);
const sealed = Buffer.concat([sealing.update(message), sealing.final()]);
const tag = sealing.getAuthTag();
assert.strictEqual(sealed.subarray(0, 16).toString('hex'), '17f399f08c67d5ee19d0dc9969c4bb7d');
assert.strictEqual(tag.toString('hex'), '83de3541e4c2b58177e065a9bf7b62ec');

function open(tag) {
  const opening = createDecipheriv('sm4-gcm', key, nonce);
  opening.setAAD(aad);
  opening.setAuthTag(tag);
  return Buffer.concat([opening.update(sealed), opening.final()]);
}
assert.ok(open(tag).equals(message));
tag[0] ^= 1;
assert.throws(() => open(tag));
console.log(`OpenSSL ${process.versions.openssl}: ok`);
