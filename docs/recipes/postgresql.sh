# Starts a PostgreSQL of its own in this folder, as an ordinary user, runs what it is given, and stops it:
#   sh postgresql.sh COMMAND…   with psql settled to reach it. OPENSSL_CONF is the server's, too.
set -eu
export PGHOST="$PWD" PGUSER=me PGDATABASE=postgres PGDATA="$PWD/data"
[ -d data ] || initdb --username=me --auth=trust --no-sync >initdb.log
pg_ctl --wait --silent --log=server.log --options="-k '$PWD' -c listen_addresses= -c fsync=off" start
trap 'pg_ctl --wait --silent --mode=fast stop' EXIT
"$@"
