// Who can play a side. The strengths are those of solver/engines/builtin/perfect.py; tests compare them.

/** By the name in the address: how it is called, and the engine that the server is asked for. */
export const PLAYERS = {
  person: { label: "a person", engine: null },
  perfect: { label: "perfect", engine: "perfect:ties=traps" },
  strong: { label: "strong, 90 % best moves", engine: "graded:strength=0.9" },
  medium: { label: "medium, 65 %", engine: "graded:strength=0.65" },
  weak: { label: "weak, 35 %", engine: "graded:strength=0.35" },
  random: { label: "random", engine: "random" },
};
