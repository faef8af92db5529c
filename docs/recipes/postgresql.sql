-- Values of pgcrypto under fixed keys and IVs: what one provider makes, another must make, too. One line
-- is what all of it comes to. psql -At -f postgresql.sql
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE TABLE IF NOT EXISTS kept(
    mode text, id int, bits int, sealed bytea, PRIMARY KEY (mode, id, bits));
-- 16, 24 and 32 bytes of key; every length from nothing to 40 bytes, and some that are long.
CREATE TEMPORARY VIEW cases AS
    SELECT mode, id, bits, substr(sha512(bits::text::bytea), 1, bits / 8) AS key,
           substr(sha512(id::text::bytea), 1, 16) AS iv,
           decode(repeat(md5(id::text), id / 16 + 1), 'hex') AS long, id AS length
    FROM unnest(ARRAY['aes-cbc/pad:pkcs', 'aes-ecb/pad:pkcs']) AS mode,
         unnest(ARRAY[128, 192, 256]) AS bits,
         (SELECT generate_series(0, 40) UNION VALUES (1000), (4096), (100001)) AS lengths(id);
INSERT INTO kept SELECT mode, id, bits, encrypt_iv(substr(long, 1, length), key, iv, mode) FROM cases
    ON CONFLICT DO NOTHING;
-- Those that are kept open and those made now are the same.
SELECT format('%s values: %s open, %s made the same; %s', count(*),
    count(*) FILTER (WHERE decrypt_iv(sealed, key, iv, mode) = substr(long, 1, length)),
    count(*) FILTER (WHERE encrypt_iv(substr(long, 1, length), key, iv, mode) = sealed),
    CASE WHEN pgp_sym_decrypt(pgp_sym_encrypt('a text', 'passphrase', 'cipher-algo=aes256'),
                              'passphrase') = 'a text' THEN 'pgp_sym_decrypt, too' END)
FROM cases JOIN kept USING (mode, id, bits);
