declare module "sm-crypto" {
  export const sm4: {
    encrypt(
      input: number[],
      key: number[],
      options: { mode?: "cbc"; iv?: number[]; padding: "none"; output: "array" },
    ): number[];
  };
}
