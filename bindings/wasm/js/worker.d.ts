// The script of a worker; see `startWorker`.
export {};
