"""The models that come with Stepscope, declared: what each says of itself and where its implementation stands.

Knows no implementation: listing models must not import what they need.
"""

from __future__ import annotations

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.frozen import dataclass
from stepscope.models.ask.actor_choice import ACTOR_CHOICE, TRAINED_ACTOR_CHOICE
from stepscope.models.ask.precision_choice import PRECISION
from stepscope.models.history_choice import HISTORY
from stepscope.models.ordering.search_choice import SEARCH_SETTINGS


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """`module` holds a class or function called `factory` that takes seed and device and returns the predictor.

    `find_weights` is "" for a model without weights, else "module:function": called without arguments, it tells in
    words which weights are here, or raises UnavailableError with what to install. It looks only, and must be quick.
    """

    info: ModelInfo
    module: str
    factory: str
    find_weights: str = ""


TEXT_MATCH = ModelInfo(
    name="text-match",
    title="Text match",
    task=Task.AUTOMATION,
    description="Reads verb, place and typed text out of the instruction by rules and taps the element whose words "
    "are most like the place. Shows what matching words alone can do, and its errors.",
    source="Rules of this project, after the two stages of Seq2Act (MoTIF, section 5.1)",
    inputs=("tree", "text", "history"),
)
NEAREST_ELEMENT = ModelInfo(
    name="nearest-element",
    title="Nearest element",
    task=Task.AUTOMATION,
    description="Taps the clickable element nearest to the last action. Reads no words: a floor for grounding.",
    source="Rule of this project",
    inputs=("tree", "history"),
    settings=(HISTORY,),
)
RANDOM_ACTION = ModelInfo(
    name="random",
    title="Random",
    task=Task.AUTOMATION,
    description="Draws kind and element evenly, by seed, episode and step. The floor of every table.",
    source="Rule of this project",
    inputs=("tree", "text"),
)
NOISY_COPY = ModelInfo(
    name="noisy-copy",
    title="Noisy copy",
    task=Task.AUTOMATION,
    description="Repeats the reference action with known errors: shifted points, other elements, other kinds, "
    "unusable answers. Is shown the right answer: for trying out the workbench, never a result.",
    source="Rule of this project",
    needs_reference=True,
    inputs=("tree", "text"),
)
REFERENCE = ModelInfo(
    name="reference",
    title="Reference",
    task=Task.AUTOMATION,
    description="Repeats the reference action as it is: scores references against themselves. What is wrong "
    "then is wrong with the reference, or odd about the rule; never a result.",
    source="Rule of this project",
    needs_reference=True,
    inputs=("history",),
)
SENTENCE_MATCH = ModelInfo(
    name="sentence-match",
    title="Sentence match, zero-shot",
    task=Task.AUTOMATION,
    description="Reads verb, place and typed text out of the instruction by rules and taps the element whose words "
    "mean most nearly the place, by a general sentence model that was never trained on screens.",
    source="Rules of this project over all-MiniLM-L6-v2, after the two stages of Seq2Act (MoTIF, section 5.1)",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("tree", "text", "history"),
    batches=True,
    weights_from="all-MiniLM-L6-v2, int8, out of two packages",
    devices=("cpu", "cuda"),
)
ALWAYS_FEASIBLE = ModelInfo(
    name="always-feasible",
    title="Always feasible",
    task=Task.FEASIBILITY,
    description="Says of every goal that it can be reached. Its accuracy is the share of feasible goals; its F1 is 0.",
    source="Rule of this project",
)
NEVER_FEASIBLE = ModelInfo(
    name="never-feasible",
    title="Never feasible",
    task=Task.FEASIBILITY,
    description="Says of every goal that it cannot be reached. Finds all that are infeasible: the F1 to beat.",
    source="Rule of this project",
)
TEMPLATE_QUESTION = ModelInfo(
    name="template-question",
    title="Question from a template",
    task=Task.FEASIBILITY,
    description="Calls every goal infeasible, for the most frequent reason (impossible), and asks the same question "
    "about each, with goal and app filled in.",
    source="this project; 911 of MoTIF's 1,370 infeasible demonstrations are impossible (section 3)",
    inputs=("text",),
)
RANDOM_FEASIBILITY = ModelInfo(
    name="random-feasibility",
    title="Random feasibility",
    task=Task.FEASIBILITY,
    description="Calls 29.1 % of all goals infeasible, which is the share in MoTIF, drawn by seed and episode: what "
    "chance gives.",
    source="The random baseline of MoTIF (table 3), which draws by the distribution of its training data",
)
AS_GIVEN = ModelInfo(
    name="as-given",
    title="As given",
    task=Task.ORDERING,
    description="Leaves the steps as they are shown. They are shown shuffled, so this is what chance gives.",
    source="Rule of this project",
)
RANDOM_ORDER = ModelInfo(
    name="random-order",
    title="Random order",
    task=Task.ORDERING,
    description="Shuffles the steps once more, by seed and procedure. What chance gives, with another draw.",
    source="Rule of this project",
)
DO_NOTHING = ModelInfo(
    name="do-nothing",
    title="Do nothing",
    task=Task.WEBTASK,
    description="Leaves every page as it loads: what it comes filled in with is the answer. Right only where most "
    "people did nothing too.",
    source="Baseline of TurkingBench (section 4)",
    batches=True,
    version="2",
)
ORACLE = ModelInfo(
    name="oracle",
    title="Oracle",
    task=Task.WEBTASK,
    description="Fills each field of the page with the answer of the people that scores best there. Is shown the right "
    "answers: what can be reached at most, never a result.",
    source="Baseline of TurkingBench (section 4, pseudocode 2); which answer is a rule of this project",
    needs_reference=True,
    batches=True,
    version="2",
)
RANDOM_FIELDS = ModelInfo(
    name="random-fields",
    title="Random fields",
    task=Task.WEBTASK,
    description="Fills every page in by chance, by seed and instance: evenly among what can be chosen, a word of the "
    "page where text is wanted. The floor of every table.",
    source="Rule of this project",
    batches=True,
)
NEVER_ASK = ModelInfo(
    name="never-ask",
    title="Never ask",
    task=Task.ASK,
    description="Never puts a question. Right at every step but those at which something is missing.",
    source="Rule of this project",
    settings=(ACTOR_CHOICE,),
)
ALWAYS_ASK = ModelInfo(
    name="always-ask",
    title="Always ask",
    task=Task.ASK,
    description="Asks what exactly is wanted at every step. Misses no question, and gives as many false alarms as "
    "there can be.",
    source="Rule of this project",
    settings=(ACTOR_CHOICE,),
)
ASK_FIRST = ModelInfo(
    name="ask-first",
    title="Ask first",
    task=Task.ASK,
    description="Asks what exactly is wanted before anything is done, and never again.",
    source="Rule of this project",
    settings=(ACTOR_CHOICE,),
)
ASK_ORACLE = ModelInfo(
    name="ask-oracle",
    title="Ask oracle",
    task=Task.ASK,
    description="Asks exactly where a question is due, in the words of the data. Is shown the right answer: what "
    "asking can bring at most, never a result.",
    source="Rule of this project",
    needs_reference=True,
    settings=(ACTOR_CHOICE,),
)
ASK_GOAL_WORDS = ModelInfo(
    name="ask-goal-words",
    title="Ask by the goal's words",
    task=Task.ASK,
    description="Tells from the words of the goal alone whether it leaves something out, and asks before anything is "
    "done. Sees no screen: what the wording of the goals gives away.",
    source="Rule of this project: logistic regression over the goal's MiniLM vector and its vague words",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("text",),
    settings=(ACTOR_CHOICE,),
    batches=True,
    weights_from="yours to train: stepscope models train ask --recipe ask-goal-words",
    devices=("cpu", "cuda"),
)
TEMPLATE = ModelInfo(
    name="template",
    title="Template",
    task=Task.GOAL,
    description="Fills a sentence from the app, the text typed last or the element touched last: Search for X in APP. "
    "Tells what was done, not what for.",
    source="Rules of this project",
    inputs=("history",),
    version="2",
)

TWO_TOWER = ModelInfo(
    name="two-tower",
    title="Two-tower",
    task=Task.AUTOMATION,
    description="Chooses the kind of the next action from the instruction, the goal and what was done, and the "
    "element by comparing these words with each element's words, class, id, place and picture; shows the five "
    "likeliest elements.",
    source="MoTIF, section 5.1: the two stages of Seq2Act; MiniLM and MobileNetV2 in place of its encoders",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text", "history"),
    settings=(HISTORY,),
    batches=True,
    weights_from="shipped with Stepscope; encoders of two packages",
    devices=("cpu", "cuda"),
    reads_reply=True,
)
SEQ2ACT = ModelInfo(
    name="seq2act",
    title="Seq2Act",
    task=Task.AUTOMATION,
    description="Picks the spans of the instruction that say what to do, where and with which text, and finds the "
    "element by a Transformer over all elements of the screen; everything is learned from scratch, no picture is "
    "looked at.",
    source="Seq2Act (Li et al. 2020; MoTIF, section 5.1), written anew; sizes and what is told of words are ours",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("tree", "text"),
    batches=True,
    weights_from="trained here",
    devices=("cpu", "cuda"),
)
SEQ2SEQ = ModelInfo(
    name="seq2seq",
    title="Seq2Seq",
    task=Task.AUTOMATION,
    description="An LSTM that attends to the words of goal and instruction and sees the screen and what was done "
    "before: tells the kind of the action and a point on the screen. Elements are not looked at.",
    source="ALFRED's Seq2Seq (Shridhar et al. 2020) as MoTIF adapts it (section 5.1), written anew; MobileNetV2's map "
    "in the place of ResNet-18's and of CLIP",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "text", "history"),
    settings=(HISTORY,),
    batches=True,
    weights_from="trained here",
    devices=("cpu", "cuda"),
    past_screens=3,
)
MOCA = ModelInfo(
    name="moca",
    title="MOCA",
    task=Task.AUTOMATION,
    description="Two streams with filters over the screen out of the words: one tells the kind of the action from the "
    "goal, the other type and box of the element from the instruction; the type narrows the elements, the box chooses.",
    source="MOCA (Singh et al. 2021) as MoTIF adapts it (section 5.1), written anew; MobileNetV2's map in the place of "
    "ResNet-18's and of CLIP",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text", "history"),
    settings=(HISTORY,),
    batches=True,
    weights_from="trained here",
    devices=("cpu", "cuda"),
    past_screens=3,
)
FEASIBILITY_MLP = ModelInfo(
    name="feasibility-mlp",
    title="Feasibility MLP",
    task=Task.FEASIBILITY,
    description="Tells from the goal's words, the texts on the visited screens and their pictures whether the goal "
    "can be reached; shows the probability after each step and what spoke for it.",
    source="MoTIF, section 4: MLP over concatenated screens; MiniLM and MobileNetV2 in place of its features",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text"),
    batches=True,
    weights_from="shipped with Stepscope; encoders of two packages",
    devices=("cpu", "cuda"),
)
FEASIBILITY_REASONS = ModelInfo(
    name="feasibility-reasons",
    title="Feasibility with reasons",
    task=Task.FEASIBILITY,
    description="Tells whether the goal can be reached, why not (impossible, unclear, or something else is needed "
    "first), and asks what annotators asked about the most similar goal.",
    source="MoTIF, sections 3.1 and 6: reasons and follow-up questions; network and retrieval are this project's",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text", "history"),
    batches=True,
    weights_from="yours to train: stepscope models train feasibility --recipe feasibility-reasons",
    devices=("cpu", "cuda"),
)
FEASIBILITY_SET = ModelInfo(
    name="feasibility-set",
    title="Feasibility, step by step",
    task=Task.FEASIBILITY,
    description="Tells after every step whether the goal can be reached, from the elements of each screen, its picture "
    "and what was done; learned at every step, so that it does not wait for the last screen. Says why not and asks.",
    source="MoTIF, section 4; features that keep the hierarchy, and reasons, are its future work (section 6): the "
    "network is this project's",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text", "history"),
    batches=True,
    weights_from="yours to train: stepscope models train feasibility --recipe feasibility-set",
    devices=("cpu", "cuda"),
)
FEASIBILITY_TUNED = ModelInfo(
    name="feasibility-tuned",
    title="Feasibility, tuned encoders",
    task=Task.FEASIBILITY,
    description="Tells from the goal, the texts of the first, middle and last screen and their pictures whether the "
    "goal can be reached; its text and picture encoders, of your choice, learn too, or LoRA beside them.",
    source="MoTIF, section 4: MLP over states; that the encoders are tuned is ours",
    runtime="torch",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text"),
    batches=True,
    weights_from="trained here; encoders that were added",
    devices=("cpu", "cuda"),
)
MOTIF_FEASIBILITY = ModelInfo(
    name="motif-feasibility",
    title="MoTIF's feasibility classifier",
    task=Task.FEASIBILITY,
    description="Tells from the command and the first 20 screens whether it can be done, by the paper's classifier: "
    "which encoders read texts, ids, classes, screens and icons, and how steps are brought together, is in its name.",
    source="MoTIF, section 4.1 and table 3; layer sizes of its released code",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text"),
    batches=True,
    weights_from="trained here; encoders that were added",
    devices=("cpu", "cuda"),
)
BERSON = ModelInfo(
    name="berson",
    title="BERSON",
    task=Task.ORDERING,
    description="Finds the order of steps with an encoder that learns: every pair of steps is read together, words and "
    "patches of pictures in one stream, and a recurrent pointer goes through them. Can be pretrained on masked words, "
    "swapped pictures and patches and masked regions.",
    source="Wu et al. 2022, section 4: BERSON over RoBERTa or CLIP-ViL's single stream, sequence-aware pretraining",
    runtime="torch",
    weights="absent",
    stand_in=False,
    inputs=("screens", "text"),
    batches=True,
    weights_from="yours to train: stepscope models train ordering --recipe berson",
    devices=("cpu", "cuda"),
    settings=SEARCH_SETTINGS,
)
PAIRWISE_POINTER = ModelInfo(
    name="pairwise-pointer",
    title="Pairwise pointer",
    task=Task.ORDERING,
    description="Finds the order by which of two steps comes first and which follows which, told from their words "
    "and pictures; exact search up to nine steps, a beam of 64 above.",
    source="Wu et al. 2022, section 4: BERSON's pointer over pairwise relations; MiniLM and MobileNetV2 in place "
    "of its encoders",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "text"),
    batches=True,
    weights_from="shipped with Stepscope; encoders of two packages",
    devices=("cpu", "cuda"),
)
PAIRWISE_TOPOLOGICAL = ModelInfo(
    name="pairwise-topological",
    title="Pairs, topological sort",
    task=Task.ORDERING,
    description="Tells of every two steps which comes first, from their words and pictures alone, and sorts the steps "
    "so that the most certain pairs are kept: a baseline for what looking at all steps together is worth.",
    source="Prabhumoye et al. 2020, Topological Sort for Sentence Ordering; MiniLM and MobileNetV2 in place of BERT; "
    "what is done with pairs that contradict each other is ours",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "text"),
    batches=True,
    weights_from="yours to train: stepscope models train ordering --recipe pairwise-topological",
    devices=("cpu", "cuda"),
)
POSITION_PRIOR = ModelInfo(
    name="position-prior",
    title="Position prior",
    task=Task.ORDERING,
    description="Puts each step where steps that begin so, and have such words, stood in the data that it learned "
    "from. Looks at no two steps together: a baseline for what wording alone tells.",
    source="Rule of this project: ridge regression from the words of a step to its place",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("text",),
    batches=True,
    weights_from="yours to train: stepscope models train ordering --recipe position-prior",
    devices=("cpu", "cuda"),
)
LM_PERPLEXITY = ModelInfo(
    name="lm-perplexity",
    title="Language model's likelihood",
    task=Task.ORDERING,
    description="Asks a language model that was added here how likely goal and steps are, one after the other in each "
    "order, and takes the likeliest. Nothing is trained; all orders up to five steps, a beam of 16 above.",
    source="Rule of this project: the common baseline without training",
    runtime="torch",
    weights="absent",
    stand_in=False,
    inputs=("text",),
    devices=("cpu", "cuda"),
)
GOAL_RETRIEVAL = ModelInfo(
    name="goal-retrieval",
    title="Goal retrieval",
    task=Task.GOAL,
    description="Says what a trajectory was after: chooses among sentences learned from goals, and fills in what "
    "was typed and touched.",
    source="Rule of this project: two towers over templates of goals; MiniLM and MobileNetV2 as encoders",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "history"),
    batches=True,
    weights_from="shipped with Stepscope; encoders of two packages",
    devices=("cpu", "cuda"),
)
ASK_TIMING = ModelInfo(
    name="ask-timing",
    title="Ask timing",
    task=Task.ASK,
    description="Tells from the goal's words, what is on the screen and what was done whether something is missing "
    "that the person must say, and of which kind; asks for it with the words of goal and screen, once. Acts by the "
    "two-tower model, or any other.",
    source="Navi-plus, section 2.3: asking at the step that needs what the goal leaves out; the classifier is ours",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text", "history"),
    settings=(TRAINED_ACTOR_CHOICE, PRECISION),
    own_history=True,
    batches=True,
    weights_from="shipped with Stepscope; encoders of two packages",
    devices=("cpu", "cuda"),
)
CLASS_PRIOR = ModelInfo(
    name="class-prior",
    title="By class",
    task=Task.AFFORDANCE,
    description="Says of each element what its class allows in Android as a rule: a Button is tapped, an EditText is "
    "written into, a list scrolls.",
    source="Rule of this project",
    inputs=("tree",),
)
TAP_EVERYTHING = ModelInfo(
    name="tap-everything",
    title="Tap everything",
    task=Task.AFFORDANCE,
    description="Says of every element that it can be tapped and nothing else. The floor.",
    source="Rule of this project",
)
ELEMENT_AFFORDANCE = ModelInfo(
    name="element-affordance",
    title="Element affordance",
    task=Task.AFFORDANCE,
    description="Tells of each element which kinds of action it allows, from its words, class, id and box, its picture "
    "and what stands around it. Reads no flag of the tree.",
    source="Network of this project; MoTIF, section 6, names affordance as future work",
    runtime="onnx",
    weights="absent",
    stand_in=False,
    inputs=("screens", "tree", "text"),
    batches=True,
    weights_from="yours to train: stepscope models train affordance",
    devices=("cpu", "cuda"),
)

TRAINED = {
    info.name: info
    for info in (
        TWO_TOWER,
        SEQ2ACT,
        SEQ2SEQ,
        MOCA,
        FEASIBILITY_MLP,
        FEASIBILITY_REASONS,
        FEASIBILITY_SET,
        FEASIBILITY_TUNED,
        MOTIF_FEASIBILITY,
        PAIRWISE_POINTER,
        BERSON,
        PAIRWISE_TOPOLOGICAL,
        POSITION_PRIOR,
        GOAL_RETRIEVAL,
        ASK_TIMING,
        ASK_GOAL_WORDS,
        ELEMENT_AFFORDANCE,
    )
}
"""What a trained model says of itself, by the name of its recipe; what its card tells is put in when it is found."""

CATALOG = (
    CatalogEntry(TEXT_MATCH, "stepscope.models.automation.text_match", "TextMatch"),
    CatalogEntry(NEAREST_ELEMENT, "stepscope.models.automation.nearest_element", "NearestElement"),
    CatalogEntry(RANDOM_ACTION, "stepscope.models.automation.random_action", "RandomAction"),
    CatalogEntry(NOISY_COPY, "stepscope.models.automation.noisy_copy", "NoisyCopy"),
    CatalogEntry(REFERENCE, "stepscope.models.automation.reference", "ReferenceAnswer"),
    CatalogEntry(
        SENTENCE_MATCH,
        "stepscope.models.automation.sentence_match",
        "SentenceMatch",
        find_weights="stepscope.models.encoders.sentence_files:find",
    ),
    CatalogEntry(ALWAYS_FEASIBLE, "stepscope.models.feasibility.constant", "AlwaysFeasible"),
    CatalogEntry(NEVER_FEASIBLE, "stepscope.models.feasibility.constant", "NeverFeasible"),
    CatalogEntry(RANDOM_FEASIBILITY, "stepscope.models.feasibility.constant", "RandomFeasibility"),
    CatalogEntry(TEMPLATE_QUESTION, "stepscope.models.feasibility.constant", "TemplateQuestion"),
    CatalogEntry(AS_GIVEN, "stepscope.models.ordering.floors", "ShownOrderPredictor"),
    CatalogEntry(RANDOM_ORDER, "stepscope.models.ordering.floors", "RandomOrder"),
    CatalogEntry(
        LM_PERPLEXITY,
        "stepscope.models.ordering.language_models",
        "unchosen",
        find_weights="stepscope.models.ordering.language_models:find",
    ),
    CatalogEntry(DO_NOTHING, "stepscope.models.webtask.bounds", "do_nothing"),
    CatalogEntry(ORACLE, "stepscope.models.webtask.bounds", "oracle"),
    CatalogEntry(RANDOM_FIELDS, "stepscope.models.webtask.random_fields", "random_fields"),
    CatalogEntry(CLASS_PRIOR, "stepscope.models.affordance.rules", "ClassPrior"),
    CatalogEntry(TAP_EVERYTHING, "stepscope.models.affordance.rules", "TapEverything"),
    CatalogEntry(NEVER_ASK, "stepscope.models.ask.constant", "NeverAsk"),
    CatalogEntry(ALWAYS_ASK, "stepscope.models.ask.constant", "AlwaysAsk"),
    CatalogEntry(ASK_FIRST, "stepscope.models.ask.constant", "AskFirst"),
    CatalogEntry(ASK_ORACLE, "stepscope.models.ask.constant", "AskOracle"),
    CatalogEntry(TEMPLATE, "stepscope.models.goal.template", "TemplatePredictor"),
)
