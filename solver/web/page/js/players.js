// The players of a side. The strengths are those of solver/engines/builtin/perfect.py; tests compare them.

/** By the name in the URL: the label, and the engine on the server. */
export const PLAYERS = {
  person: { label: "Person", engine: null },
  perfect: { label: "Perfect", engine: "perfect:ties=traps" },
  strong: { label: "Strong, 90 %", engine: "graded:strength=0.9" },
  medium: { label: "Medium, 65 %", engine: "graded:strength=0.65" },
  weak: { label: "Weak, 35 %", engine: "graded:strength=0.35" },
  random: { label: "Random", engine: "random" },
};
