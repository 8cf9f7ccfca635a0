# SPDX-License-Identifier: MIT
"""Options within options, as typed dicts: a dict of the same names does as well.

    world.add_deformable(drum, dent=ductile.options.Dent(rim=0.2), pieces={"count": 40})

Written by scripts/make_stubs.py from the field lists of the library; any may be left out.
"""

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

from numpy.typing import ArrayLike

Vector = Union[ArrayLike, Mapping[str, float]]
"""Three numbers: a list, an array, or a dict of x, y and z."""
Rotation = Union[ArrayLike, Mapping[str, Any]]
"""[w, x, y, z], or {"axis": [0, 1, 0], "angle_deg": 30}."""


class MaterialChanges(TypedDict, total=False):
    density: Optional[float]  # 1 to 30000 kg/m^3; mass per volume
    youngs_modulus: Optional[float]  # 1000 to 2000000000000 Pa; how stiff it is
    poissons_ratio: Optional[float]  # 0 to 0.5; how much it widens when it is squeezed
    yield_stress: Optional[float]  # 1000 to 1000000000000 Pa; stress from which on it stays deformed
    hardness_ratio: Optional[float]  # 0.5 to 50; pressure under which it is indented, over its yield stress; 3 for most metals
    hardening: Optional[float]  # 0 to 0.6; power of the strain that its flow stress rises with; steel 0.2, 0: not at all
    tensile_strength: Optional[float]  # 1 to 1000000000000 Pa; tension at which it breaks
    fracture_energy: Optional[float]  # 0 to 1000000000 J/m^2; what a broken face takes
    friction: Optional[float]  # 0 to 10; Coulomb friction
    restitution: Optional[float]  # 0 to 1; how much of the approach speed comes back where nothing yields
    colour: Optional[Vector]  # 0 to 1; linear RGB of the bare material
    metallic: Optional[float]  # 0 to 1; 1 for bare metal, 0 for the rest
    roughness: Optional[float]  # 0 to 1; 0 mirror, 1 chalk
    opacity: Optional[float]  # 0 to 1; below 1 one sees through


class TissueGroupsItem(TypedDict, total=False):
    position: Vector  # -1000 to 1000 m; default [0.0,0.0,0.0]; from the middle of the bone
    radius: float  # 1e-06 to 1000 m; default 0.01; particles this near to it are of the group


class Tissue(TypedDict, total=False):
    layout: Literal["surface", "box", "chain"]  # default "surface"; where particles sit on the bone
    thickness: float  # 1e-05 to 1000 m; default 0.01; from bone to skin
    skin: str  # a mesh file around the bone, instead of a thickness
    extrusion: float  # 1.01 to 100; default 2.0; box layout: size of the skin over the bone's
    per_edge: int  # 2 to 50; default 3; box layout: particles along an edge
    spacing: float  # 0 to 1000 m; default 0.0; between particles; 0: about 60 in a layer
    layers: int  # 1 to 50; default 1; of outer particles
    group_size: int  # 1 to 100; default 5; particles of its own layer in a group
    flatness: float  # 0.05 to 1; default 0.4; height of a particle over its width
    stiffness: float  # 1 to 1000000000000 Pa; default 200000.0; modulus of the coat
    torsion: float  # 0 to 100; default 0.0; how stiff neighbours are against a twist between them, over that
    stretch_limit: float  # 0 to 10; default 0.0; how far off its place in a group a particle may be, in distances from the group's middle; 0: any
    yield_strain: float  # 0 to 10; default 0.0; strain beyond which it flows; 0: never
    flow: float  # 0 to 1000 1/s; default 5.0; what of a strain beyond it becomes rest, per second
    flow_limit: float  # 0 to 10; default 0.5; most strain that becomes rest
    groups: Sequence[TissueGroupsItem]  # particles that keep their shape together, made by hand
    damping: float  # 0 to 10000 1/s; default 40.0; of the coat's motion against the bone
    mass: float  # 0 to 1000000000 kg; default 0.0; of the coat; 0: from density and volume
    density: float  # 0.001 to 1000000 kg/m^3; default 1000.0; of the coat
    friction: float  # 0 to 10; default 0.0; of the skin; 0: as its body's
    is_rigid: bool  # default false; one rigid body of the same outer shape instead
    touches_itself: bool  # default false; whether particles of this coat collide
    seed: int  # 0 to 1000000000000000; default 1; same seed, same places


class DrivePhasesItem(TypedDict, total=False):
    time: float  # 0 to 100000 s; default 0.0; from when on
    velocity: Vector  # -1000 to 1000 m/s; default [0.0,0.0,0.0]; along axes that no force pushes; 0 holds it
    force: Vector  # -1000000000 to 1000000000 N; default [0.0,0.0,0.0]; axes with a force are pushed by it instead
    spin: Vector  # -1000 to 1000 rad/s; default [0.0,0.0,0.0]; how fast it turns; 0 holds it
    is_off: bool  # default false; lets go of the body


class Drive(TypedDict, total=False):
    phases: Sequence[DrivePhasesItem]  # what it does, by time; before the first it is held
    force_limit: float  # 0 to 1000000000 N; default 1000.0; along each axis, beside pushes
    moment_limit: float  # 0 to 1000000000 N m; default 100.0; about any axis
    free_axes: str  # of xyz: along these it moves as it likes
    turns_freely: bool  # default false; its orientation is left alone
    never_back: bool  # default false; what a push gained is not given up again
    in_step_with: str  # a driven body that it keeps in step with
    in_step_axes: str  # default "y"; along which of xyz it does


class Pieces(TypedDict, total=False):
    count: int  # 1 to 4096; default 24; convex pieces to begin with
    count_limit: int  # 1 to 4096; default 256; pieces of an undented body at most
    tolerance: float  # 1e-05 to 1; default 0.018; collider error aimed at, as a share of the diagonal
    children: int  # 2 to 64; default 3; parts a piece falls into when it is split
    depth: int  # 0 to 8; default 4; how often a piece may be split
    points_per_piece: int  # 4 to 1000; default 15; surface points of a piece at most
    inset: float  # 0 to 10; default 0.3; how far a piece reaches inwards, in shares of its size


class DentShapeTableItem(TypedDict, total=False):
    distance: float  # 0 to 1000000 m; default 0.0; from the axis
    depth: float  # 0 to 1000000 m; default 0.0; there; its share of the deepest counts


class DentShape(TypedDict, total=False):
    source: Literal["projectile", "gaussian", "cosine", "cap", "table", "picture", "formula", "vectors"]  # default "projectile"; where the shape comes from
    projectile: str  # for a hit by hand: the body that is pressed in
    picture: str  # a PNG or PFM file; white is deep
    flip: bool  # default false; mirrors the picture, as the face of a stamp
    formula: str  # depth over x, y and r, which is 1 at the radius
    formula_x: str  # how far places go along x, in the formula's unit
    formula_y: str  # the same along y
    vectors: str  # a table or colour PFM of (dx, dy, dz) over the struck place
    table: Sequence[DentShapeTableItem]  # depths over ascending distances


class DentRefine(TypedDict, total=False):
    edges: float  # 0 to 100; default 0.0; edges along a dent's radius, which longer ones are halved for; 0: the mesh stays
    budget: int  # 0 to 500000; default 4000; points that all dents of a body may add to its mesh


class Dent(TypedDict, total=False):
    shape: DentShape  # what dents look like
    radius: float  # 0 to 1000000 m; default 0.0; how far a round dent reaches; 0: from both bodies
    exaggerate: float  # 0 to 1000; default 1.0; scales the depths of dents; 1 is physics
    span: float  # 0 to 1000000 m; default 0.0; from a dent in a sheet to where the sheet is held; 0: folds and borders
    edge: Literal["clamped", "supported"]  # default "clamped"; how a sheet is held there
    depth_limit: float  # 0 to 1000000 m; default 0.0; deepest push of one hit; 0: automatic
    total_limit: float  # 0 to 1000000 m; default 0.0; furthest any point moves in all; 0: automatic
    duration: float  # 0 to 60 s; default 0.0; time over which a dent is pressed in; 0: as long as the impact takes
    smoothing: float  # 0 to 1; default 0.0; how softly a dent fades out beyond what pressed it
    grid: int  # 8 to 1024; default 100; samples along the longer side of a dent map at most
    attenuation: Literal["logistic", "none", "linear", "exponential"]  # default "logistic"; how the push fades below the surface
    fade: float  # 0 to 1000000 m; default 0.0; length over which the push fades; 0: from the dent
    widening: float  # 0 to 10; default 0.0; leans the front of a slanted dent more
    rim: float  # 0 to 2; default 1.0; height of the rim around a solid's dent; 1: as the material has it, 0: none
    rim_width: float  # 0.01 to 10; default 0.28; over which a rim falls, as a share of the radius
    rim_volume: float  # 0 to 1; default 0.0; share of a dent's volume that its rim holds, the rest is compacted; 0: by its width
    after: Literal["leave", "slow", "move"]  # default "move"; what becomes of the body that pressed the dent
    refine: DentRefine  # a finer mesh under dents that the body's own cannot show


class Shell(TypedDict, total=False):
    sub_shells: int  # 1 to 1024; default 128; patches that kick loose; at least one per large part
    distance_weight: float  # 0 to 1; default 0.5; share of distance against angle in cutting them
    springs: bool  # default true; carry a hit across the sheet; off: bare motion of patches
    stiffness: float  # 0.0001 to 10000; default 1.0; of springs within a patch, over that of its form
    stretch_limit: float  # 0.001 to 10; default 0.2; how much longer an edge may get, as a share
    compression_limit: float  # 0.001 to 0.99; default 0.5; how much shorter a patch may get
    friction: float  # 0 to 10; default 0.4; between patches and what presses on them
    reach: float  # 0 to 1000000 m; default 0.0; how far along the sheet a hit acts; 0: from its depth
    rounding: float  # 0 to 1; default 0.2; softens creases; 0: as sharp as the mesh has them
    stiffness_ratio: float  # 0 to 1; default 0.0; of contacts on the way out over the way in; its root is the restitution; 0: the material's
    share: float  # 0 to 1; default 1.0; of an impact's energy; layers after it get the rest
    depth_limit: float  # 0 to 1000000 m; default 0.0; deepest push of one hit; 0: automatic
    load_parts: int  # 1 to 1000; default 16; in how many equal parts the other body moves in
    iterations: int  # 1 to 10000; default 16; of the springs, per part


class ExamplePaintYield(TypedDict, total=False):
    formula: str  # of x, y and z in the body's own frame [m]
    colour: Optional[Literal["red", "green", "blue", "alpha", "mean"]]  # a channel of the mesh's vertex colours
    black: float  # 0 to 100; default 0.0; what a colour of 0 stands for
    white: float  # 0 to 100; default 1.0; what a colour of 1 stands for


ExamplePaint = TypedDict("ExamplePaint", {
    "yield": Optional[ExamplePaintYield],  # factors of the yield speed where it is struck, 0 to 100
    "radius": Optional[ExamplePaintYield],  # factors of an impact's reach where it is struck, 0.01 to 100
    "poses": Mapping[str, ExamplePaintYield],  # by name, how readily each point takes a pose, 0 to 10
}, total=False)


class Example(TypedDict, total=False):
    rig: str  # a rig file, or a rig that comes along: barrel, car ...
    left_out: Sequence[str]  # poses of the rig that this body does not take
    mapping: Literal["direction", "transpose", "inverse", "gradient"]  # default "direction"; how a wanted move becomes a change of shares
    softness: float  # 0 to 10000 1/m; default 18.0; how far shares go per length of the wanted move
    yield_speed: float  # 0 to 1000 m/s; default 0.75; impulse over mass that leaves no mark
    reference_time: float  # 1e-06 to 10 s; default 0.016666666666666666; the wanted move is what is beyond, times this
    radius: float  # 0 to 10000 m; default 0.0; how far an impact reaches; 0: by the body's size
    fade: Literal["exponential", "eased"]  # default "exponential"; how an impact comes to its full effect
    fade_time: float  # 0 to 100 s; default 0.04; in which all but a third of it has happened
    rebound_loss: float  # 0 to 1000; default 4.0; how fast the rebound falls with the mean change
    recovery: float  # 0 to 1000 1/s; default 0.5; restitution that comes back per second
    share: float  # 0.01 to 1; default 0.7; of an impact's energy, where the body has other layers
    paint: ExamplePaint  # where it yields sooner, reaches further, takes more of a pose


class BendBonesItemSlide(TypedDict, total=False):
    stiffness: float  # 0 to 1000000000000 N/m; default 0.0; of a spring along it; 0: none, it stays where it is pushed
    damping: float  # 0 to 1000000000000 N s/m; default 0.0; of that spring
    force: float  # 0 to 1000000000000 N; default 0.0; at which it yields and slides for good; 0: its spring never does
    limit: float  # 1e-09 to 1000000 m; default 0.1; the furthest it slides from rest, in or out; there it locks


BendBonesItem = TypedDict("BendBonesItem", {
    "from": Vector,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where the bone begins
    "to": Vector,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where it ends; where it begins: a ball
    "radius": float,  # 0 to 1000000 m; default 0.0; what lies this near follows it alone
    "is_anchored": bool,  # default false; it stands fast, as a post in the ground
    "wakes_with": str,  # an impact on one bone wakes the joints of all that say the same here
    "slide": Optional[BendBonesItemSlide],  # it slides along itself where it begins, in the bone that it is joined to there
}, total=False)


class Bend(TypedDict, total=False):
    bones: Mapping[str, BendBonesItem]  # by their names; none: as the body's form tells, one for a bar
    uses_file_joints: bool  # default false; bones and weights are those of the skin in its mesh file
    speed: float  # 0 to 10000 m/s; default 2.0; slower approaches bend nothing
    makes_joints: bool  # default true; an impact makes a joint where it falls
    wakes_all: bool  # default false; an impact wakes all joints, not only the struck bone's
    strength: float  # 0 to 1000000000000 N m; default 0.0; moment at which a joint turns; 0: by the yield stress and the cross-section
    yield_impulse: float  # 0 to 1000000000 N m s; default 0.0; angular impulse that an impact spends before anything bends
    hardening: float  # 0 to 1000000000000 N m; default 0.0; what the moment grows by per radian turned
    damping: float  # 0 to 1000000000 N m s; default 0.0; moment beside it per speed of turning
    angle_limit_deg: float  # 0.1 to 180 deg; default 150.0; the furthest that one impact turns a joint
    stiffness: float  # 0 to 1000000000000 N m/rad; default 0.0; of a spring in every joint, which yields at the strength; 0: no spring
    spring_damping: float  # 0 to 1000000000 N m s; default 0.0; of that spring
    blend_length: float  # 0 to 1000000 m; default 0.0; over which a bend is spread; 0: as wide as the body there
    blend: Literal["linear", "dual_quaternions"]  # default "dual_quaternions"; how the turns of bones are blended


class FracturePatternPlanesItem(TypedDict, total=False):
    normal: Vector  # -1000000 to 1000000; default [1.0,0.0,0.0]; of the plane, of any length
    offset: float  # -1000000 to 1000000 m; default 0.0; how far the plane is from the origin


class FracturePattern(TypedDict, total=False):
    kind: Literal["uniform", "clustered", "splinters", "rings", "bricks", "planes", "parts"]  # default "uniform"; what it looks like
    cells: int  # 1 to 10000; default 32; about how many cells
    seed: int  # 0 to 2000000000; default 1; of chance
    axis: Vector  # -1000000 to 1000000; default [0.0,1.0,0.0]; along splinters; through the middle of rings
    stretch: float  # 1 to 1000; default 6.0; how many times longer splinters are than wide
    spread: float  # 0.001 to 1000; default 0.25; how wide a cluster is, as a share of the body's size
    jitter: float  # 0 to 1; default 0.6; how far chance moves rings and rays
    rays: int  # 3 to 360; default 9; rays that begin at the centre
    first_ring: float  # 0.001 to 10; default 0.05; radius of the first ring, as a share of the body's size
    brick: Vector  # 0.0001 to 10000 m; default [0.25,0.075,0.12]; length, height, depth of a brick
    planes: Sequence[FracturePatternPlanesItem]  # planes by hand
    touch: float  # 1e-09 to 1; default 0.001; how far apart parts may be that touch, as a share of the body's size


class FractureAnchoredItem(TypedDict, total=False):
    lower: Vector  # -1000000 to 1000000 m; default [-1000.0,-1000.0,-1000.0]; its lower corner, from the middle of the body's box
    upper: Vector  # -1000000 to 1000000 m; default [1000.0,1000.0,1000.0]; its upper corner


class Fracture(TypedDict, total=False):
    pattern: FracturePattern  # where it can break
    about: Literal["body", "impact"]  # default "body"; where it lies: about `centre`, or where the body first breaks
    centre: Vector  # -1000000 to 1000000 m; default [0.0,0.0,0.0]; of the pattern, from the middle of the body's box
    strength: float  # 1e-09 to 1000000000; default 1.0; tension that it bears, times its material's
    grain: Vector  # -1000000 to 1000000; default [0.0,0.0,0.0]; the way of fibres; 0, 0, 0: there are none
    along_grain: float  # 0.001 to 1000; default 1.0; how many times stronger it is where fibres must be torn
    fracture_energy: float  # 0 to 1000000000; default 1.0; what a broken face takes, times its material's
    impact_time: float  # 1e-06 to 1 s; default 0.001; over which an impact pushes
    handed_on: float  # 0 to 1; default 0.5; share of an impact's force on the neighbours of what it knocked out: 0 punches a hole, 1 shatters
    snap_angle_deg: float  # 0 to 180 deg; default 0.0; a joint of its layer `bend` that was turned further in all breaks; 0: none does
    speed: float  # 0 to 1000 m/s; default 0.5; impacts slower than this break nothing
    anchored: Sequence[FractureAnchoredItem]  # boxes in which it is fixed; only of a static body
    smallest: float  # 0 to 0.9; default 0.02; smaller pieces join a neighbour, in shares of the mean
    most: int  # 2 to 10000; default 512; pieces at most
    vanish_share: float  # 0 to 1; default 0.0; parts lighter than this share of the whole vanish in the end; 0: none does
    vanish_time: float  # 0 to 100000 s; default 1.0; that they must have slept before they vanish
    inner_colour: Vector  # 0 to 1; default [0.5,0.45,0.4]; of walls that breaking lays bare, linear RGB


class Impacts(TypedDict, total=False):
    minimum_speed: float  # 0 to 1000 m/s; default 0.1; slower approaches are rest
    memory: float  # 0.0001 to 10 s; default 0.03333333333333333; time in which pushes add up to an impact
    patch_share: float  # 0 to 10; default 0.2; contacts nearer than this share of the smaller body are one patch
    press_margin: float  # 0 to 1000000; default 10.0; a push counts from this many weights of the lighter body on


class PartsItem(TypedDict, total=False):
    role: Literal["deform", "rigid", "ride", "drop"]  # default "rigid"; what becomes of the parts with such a name


PartsItem_2 = TypedDict("PartsItem_2", {
    "from": Vector,  # -10000 to 10000 m; default [0.0,0.0,0.0]; where it begins
    "to": Vector,  # -10000 to 10000 m; default [0.0,0.0,0.0]; where it ends
    "radius": float,  # 0.0001 to 10000 m; default 0.5; at its beginning
    "end_radius": float,  # 0 to 10000 m; default 0.0; at its end; 0: the same
    "colour": Vector,  # 0 to 1; default [0.0,0.0,0.0]; linear RGB; all 0: the main surface's
}, total=False)


class StartsItem(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; a further place that was struck


class ChangesItem(TypedDict, total=False):
    change: float  # -100 to 100; default 0.0; of the share where it was struck


class MovesItem(TypedDict, total=False):
    rest: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; the rest place of a control point, by which it is found
    shift: Vector  # -1000000 to 1000000 m; default [0.0,0.0,0.0]; by which it moved


class JointsItemKeysItem(TypedDict, total=False):
    time: float  # 0 to 1000000000 s; default 0.0; since the impact
    turn: Vector  # -10 to 10 rad; default [0.0,0.0,0.0]; axis times angle, in the body's rest frame
    slide: Optional[Vector]  # -1000000 to 1000000 m; how far it has slid, in the body's rest frame; none: it only turns


class JointsItem(TypedDict, total=False):
    joint: int  # -1 to 1000000; default -1; of the body's skeleton; -1: made by the impact
    bone: int  # 0 to 1000000; default 0; the struck bone of the skeleton, for a joint that was made
    along: float  # 0 to 1; default 0.5; where on that bone, share of the way
    length: float  # 1e-09 to 1000000 m; default 0.1; over which the bend is spread along it
    keys: Sequence[JointsItemKeysItem]  # how far it was moved over time; each holds until the next


class Detail(TypedDict, total=False):
    rounds: int  # 1 to 1000; default 10; of smoothing that make the base which is pressed
    fade: float  # 0.01 to 1; default 0.3; share of the extent at which detail is whole again


class Proxy(TypedDict, total=False):
    direction: Vector  # -1000000 to 1000000; default [0.0,0.0,0.0]; where swallowed bodies came from, in the soft body's frame; zero: the nearest way out, once they are inside


class CameraItem(TypedDict, total=False):
    eye: Vector  # -1000000 to 1000000 m; default [4.0,2.0,6.0]; where the camera stands
    target: Vector  # -1000000 to 1000000 m; default [0.0,0.5,0.0]; what is in the middle of the picture


class Ground(TypedDict, total=False):
    is_on: bool  # default true; whether there is one
    height: float  # -100000 to 100000 m; default 0.0; how high it lies
    material: str  # default "concrete"; the name of a material card
    colour: Vector  # 0 to 1; default [0.31,0.3,0.285]; linear RGB


class BodiesItemSolid(TypedDict, total=False):
    kind: Literal["box", "sphere", "capsule", "cylinder", "plank", "plate", "torus", "barrel", "car", "blend", "beam"]  # default "box"; which solid
    size: Vector  # 0 to 10000 m; default [0.0,0.0,0.0]; width, height, depth; all 0 takes the kind's own
    rounding: float  # 0 to 10000 m; default 0.0; radius of rounded edges
    tube: float  # 0.0001 to 10000 m; default 0.1; radius of a torus' tube
    parts: Sequence[PartsItem_2]  # balls and round bars of a blend
    blend: float  # 0 to 10000 m; default 0.0; how far a blend's parts melt into each other
    resolution: float  # 0 to 10000 m; default 0.0; edge length of triangles; 0 chooses


class BodiesItemMeshOptions(TypedDict, total=False):
    scale: float  # 0 to 1e+35 m; default 0.0; metres per unit of the file; 0: as it says, or guessed
    up: Literal["auto", "x", "y", "z"]  # default "auto"; the file's axis that points up
    fill: Literal["auto", "solid", "sheet"]  # default "auto"; solid, sheet, or closed parts solid and open ones sheets
    thickness: float  # 0 to 10 m; default 0.0; of sheets; 0: guessed
    weld: float  # 0 to 0.01; default 1e-06; points this close are one, as a share of the diagonal
    join_parts: bool  # default false; weld deforming parts to each other
    surface_points: int  # 0 to 5000000; default 0; limit of the simulation surface; 0: 50,000
    longest_edge: float  # 0 to 10000 m; default 0.0; longer edges are halved; 0: none
    crease_deg: float  # 0 to 180 deg; default 40.0; sharper edges stay sharp without normals
    parts: Mapping[str, PartsItem]  # roles of parts, by name or pattern


class BodiesItemKeysItem(TypedDict, total=False):
    time: float  # 0 to 100000 s; default 0.0; when it is there
    position: Vector  # -100000 to 100000 m; default [0.0,0.0,0.0]; where the middle of its box is
    rotation: Rotation  # default [1.0,0.0,0.0,0.0]; how it is turned


class BodiesItemLayers(TypedDict, total=False):
    dent: Optional[Dent]  # dents where it is hit; {} takes every default
    shell: Optional[Shell]  # crumples as sheet metal does; {} takes every default
    example: Optional[Example]  # turns towards example poses of its rig where it is hit
    bend: Optional[Bend]  # bends at the joints of a skeleton; {} takes every default
    fracture: Optional[Fracture]  # breaks along a pattern; {} takes every default


class BodiesItemCopies(TypedDict, total=False):
    count: Sequence[int]  # 1 to 10000; default [1,1,1]; how many along x, y and z
    spacing: Vector  # -10000 to 10000 m; default [1.0,1.0,1.0]; from one copy to the next
    jitter: Vector  # 0 to 10000 m; default [0.0,0.0,0.0]; random shift of each copy, either way
    tilt_deg: float  # 0 to 180 deg; default 0.0; random tilt of each copy at most
    seed: int  # 0 to 1000000000000000; default 1; same seed, same places


class BodiesItem(TypedDict, total=False):
    solid: BodiesItemSolid  # its shape
    mesh: str  # a mesh file instead, beside the scene or in the current folder
    surface_mesh: str  # a coarser mesh file to simulate; the other is drawn
    mesh_options: BodiesItemMeshOptions  # how the mesh file becomes a body
    motion: Literal["static", "kinematic", "dynamic"]  # default "dynamic"; whether it moves by itself
    collider: Literal["auto", "sphere", "box", "capsule", "half_space", "pieces"]  # default "auto"; what it collides as
    collider_inset: float  # 0 to 10000 m; default 0.0; how far below its surface it collides
    position: Vector  # -100000 to 100000 m; default [0.0,0.0,0.0]; where the middle of its box is
    rotation: Rotation  # default [1.0,0.0,0.0,0.0]; how it is turned
    velocity: Vector  # -1000 to 1000 m/s; default [0.0,0.0,0.0]; how fast it starts
    spin: Vector  # -1000 to 1000 rad/s; default [0.0,0.0,0.0]; how fast it turns at the start
    keys: Sequence[BodiesItemKeysItem]  # places that a kinematic or driven body moves through
    material: str  # default "steel"; the name of a material card
    material_changes: MaterialChanges  # what differs from the card
    thickness: float  # 0 to 10 m; default 0.0; of the sheet it is made of; 0: solid, or as mesh_options say
    mass: float  # 0 to 1000000000 kg; default 0.0; 0 takes it from density and shape
    colours: Sequence[Vector]  # 0 to 1; linear RGB of its main surface; copies take turns
    is_hidden: bool  # default false; left out of pictures; simulated and exported all the same
    layers: BodiesItemLayers  # how it deforms; none: rigid
    tissue: Optional[Tissue]  # a soft coat around it; {} takes every default
    drive: Optional[Drive]  # what moves a dynamic body, by phases or along its keys
    pieces: Pieces  # how its surface is cut into convex pieces
    copies: BodiesItemCopies  # repeats it on a grid


HitsItemDent = TypedDict("HitsItemDent", {
    "position": Vector,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where it is struck, in the body's rest frame
    "direction": Vector,  # -1000000 to 1000000; default [0.0,-1.0,0.0]; the way in: against the surface's normal
    "from": Vector,  # -1000000 to 1000000; default [0.0,0.0,0.0]; the side it comes from, across the surface; x of a map; 0: any
    "slant_deg": float,  # 0 to 90 deg; default 0.0; how far from the way in it comes
    "starts": Sequence[StartsItem],  # further places that were struck at once
    "profile": Literal["gaussian", "cosine", "cap"],  # default "gaussian"; a round dent by formula
    "map": Optional[str],  # a shape of its own instead, as a journal writes it
    "depth": float,  # 0 to 1000000 m; default 0.01; furthest displacement
    "radius": float,  # 1e-09 to 1000000 m; default 0.1; beyond this nothing moves
    "fade": float,  # 0 to 1000000 m; default 0.0; length over which the push fades inward; 0: radius
    "lean": float,  # 0 to 1; default 1.0; share of the slant that the dent shows, and of a vector map's sideways
    "widening": float,  # 0 to 100; default 0.0; leans the front of a slanted dent more
    "rim": float,  # 0 to 100; default 0.0; how high the edge is raised; 5: a Gaussian's volume
    "total_limit": float,  # 0 to 1000000000 m; default 1000000000.0; no point ends further from its rest place
    "attenuation": Literal["logistic", "none", "linear", "exponential"],  # default "logistic"; how the push fades below the surface
}, total=False)


class HitsItemBend(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where the bend begins, on the middle of the body
    along: Vector  # -1000000 to 1000000; default [0.0,1.0,0.0]; along the body, towards the part that turns
    axis: Vector  # -1000000 to 1000000; default [0.0,0.0,1.0]; about which it turns, across the way along
    angle_deg: float  # -720 to 720 deg; default 30.0; how far the far part turns
    length: float  # 1e-09 to 1000000 m; default 0.1; over which the bend is spread


class HitsItemRefine(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; around which the mesh is made finer
    radius: float  # 1e-09 to 1000000 m; default 0.1; how far around
    longest_edge: float  # 1e-09 to 1000000 m; default 0.01; edges there are halved until none is longer
    point_limit: int  # 0 to 1000000000; default 0; points that the whole mesh may have by then; 0: as many as it takes


class HitsItemExample(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where it was struck
    starts: Sequence[StartsItem]  # all places that touched; none: the position
    changes: Mapping[str, ChangesItem]  # of the shares of example poses, by their names
    radius: float  # 1e-09 to 1000000 m; default 0.3; how far it reaches through the body


class HitsItemShell(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where the shell was struck
    depth: float  # 0 to 1000000 m; default 0.0; how far the striker went in
    moves: Sequence[MovesItem]  # control points that moved


class HitsItemJoints(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where the impact fell
    joints: Sequence[JointsItem]  # what it did to the joints


class HitsItemFracture(TypedDict, total=False):
    position: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where it was struck
    radius: float  # 0 to 1000000 m; default 0.1; all that holds it together so near breaks
    joints: Sequence[int]  # 0 to 1000000000; what broke, by number
    area: float  # 0 to 1000000000000 m^2; default 0.0; of what broke
    first_part: int  # 0 to 1000000000; default 0; number of the first part that it left; 0: none
    vanishes: bool  # default false; the body is gone from then on
    centre: Vector  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; of a pattern about the place where the body first broke


class HitsItem(TypedDict, total=False):
    body: str  # the body, or one copy of it, that is marked
    time: Optional[float]  # 0 to 100000 s; when it begins; or give a frame
    frame: Optional[int]  # 0 to 10000000; the frame in which it begins; or give a time
    duration: float  # 0 to 100000 s; default 0.0; how long it takes to come to its full depth
    space: Literal["body", "world"]  # default "body"; whether places count from the middle of the body's box at rest, or in the world
    is_on_surface: bool  # default false; moves it to the nearest place of the surface
    dent: Optional[HitsItemDent]  # a dent, in the body's rest frame
    bend: Optional[HitsItemBend]  # a bend, in the body's rest frame
    refine: Optional[HitsItemRefine]  # a finer mesh around a place of the rest shape
    example: Optional[HitsItemExample]  # a turn towards example poses of the body's rig
    shell: Optional[HitsItemShell]  # how control points of a metal shell moved
    joints: Optional[HitsItemJoints]  # turns and slides of the joints of the body's skeleton
    fracture: Optional[HitsItemFracture]  # what holds the body together breaks around a place
    shape: Optional[DentShape]  # a dent's shape, instead of its profile


class PressItemOptions(TypedDict, total=False):
    stiffness: float  # 0 to 10000 m; default 0.0; radius of the ball that must fit where it touches; 0: a quarter of the thickness, less the deeper it is pressed
    extent: float  # 0 to 10000 m; default 0.0; how far the bulge reaches; 0: 0.92 of the thickness
    bulge: float  # 0 to 20; default 1.0; 0 none, 1 as much as Poisson's ratio has, more exaggerates
    poissons_ratio: float  # 0 to 0.5; default 0.5; 0.5 keeps the volume, less is compressed
    bulge_at: float  # 0.2 to 1; default 0.3333333333333333; where the bulge sits, as a share of the extent
    fade_from: float  # 0.2 to 1; default 0.8333333333333334; where it begins to fade out; at least bulge_at
    fade_flatness: float  # 0.2 to 1; default 0.9166666666666666; how flat it fades out; at least fade_from
    wrinkles: float  # 0 to 2; default 0.0; height of waves, as a share of the contact's depth
    waves: float  # 0.5 to 100; default 6.0; how many of them, from the contact to the extent
    mapping: Literal["spread", "affine"]  # default "spread"; how what went in is taken onto the rigid surface
    leg: Literal["rising", "paper"]  # default "rising"; how far the surface follows its first slope
    relief: str  # formula of u, x, y, z laid over the bulge, share of depth
    curve: Sequence[float]  # -10 to 10; the same drawn: heights from the contact to the extent
    wall: float  # 0 to 10000 m; default 0.0; points this near to maps.region go along with it


class PressItemMapsStiffness(TypedDict, total=False):
    formula: str  # of x, y and z in the body's own frame [m]
    file: str  # numbers, one per vertex of the body's mesh file
    colour: Optional[Literal["red", "green", "blue", "alpha", "mean"]]  # a channel of the mesh's vertex colours
    black: float  # 0 to 100; default 0.0; what a colour of 0 stands for
    white: float  # 0 to 100; default 1.0; what a colour of 1 stands for


class PressItemMaps(TypedDict, total=False):
    stiffness: Optional[PressItemMapsStiffness]  # factors of the stiffness, 0.01 to 100
    bulge: Optional[PressItemMapsStiffness]  # factors of the bulge's height, 0 to 20
    region: Optional[PressItemMapsStiffness]  # what may be pressed: 1 yes, 0 no


class PressItemRefine(TypedDict, total=False):
    edge: float  # 0.1 to 100; default 1.5; stretched edges are split above so many mean edges
    rounds: int  # 0 to 8; default 3; presses at most so many times to look where
    growth: float  # 1 to 100; default 4.0; the mesh gets at most so many times its points


class PressItemBoth(TypedDict, total=False):
    share: float  # 0 to 1; default 0.5; of the overlap by which `soft` gives way
    options: Optional[PressItemOptions]  # how the other one gives way; none: alike
    maps: PressItemMaps  # factors painted on the other one


class PressItemKeysItem(TypedDict, total=False):
    time: float  # -1000000 to 1000000 s; default 0.0; when
    stiffness: Optional[float]  # 1e-06 to 10000 m; as in options, but not 0
    extent: Optional[float]  # 1e-06 to 10000 m; as in options, but not 0
    bulge: Optional[float]  # 0 to 20; as in options
    poissons_ratio: Optional[float]  # 0 to 0.5; as in options
    bulge_at: Optional[float]  # 0.2 to 1; as in options
    fade_from: Optional[float]  # 0.2 to 1; as in options
    fade_flatness: Optional[float]  # 0.2 to 1; as in options
    wrinkles: Optional[float]  # 0 to 2; as in options
    waves: Optional[float]  # 0.5 to 100; as in options
    wall: Optional[float]  # 0 to 10000 m; as in options


class PressItem(TypedDict, total=False):
    soft: str  # the body, or one copy of it, that gives way
    by: Sequence[str]  # the bodies, or copies, that press it
    options: PressItemOptions  # how it gives way
    maps: PressItemMaps  # factors painted on it
    detail: Optional[Detail]  # a smoothed base is pressed; {} takes every default
    refine: Optional[PressItemRefine]  # its mesh is made finer where frames stretch it
    proxy: Optional[Proxy]  # what it swallows is drawn out to press it
    both: Optional[PressItemBoth]  # what presses it is soft, too
    keys: Sequence[PressItemKeysItem]  # options that change over time
    rigid_region: Optional[PressItemMapsStiffness]  # what of the rigid body presses: 1 yes, 0 no


class Simulation(TypedDict, total=False):
    impacts: Impacts  # what counts as an impact
    exaggerate: float  # 0 to 1000; default 1.0; scales what hits do to all bodies; 1 is physics
    hit_budget: int  # 1 to 1000000; default 64; hits applied per step at most; the rest wait
    piece_budget: int  # 1 to 100000; default 512; convex pieces of one body at most
    fill_tolerance: float  # 1e-05 to 1; default 0.011; a piece that fills a hollow deeper than this share of the body's size is split
    contact_tolerance: float  # 0 to 1; default 0.001; contacts are dropped where the surface moved further than this share of size


class Tissue_2(TypedDict, total=False):
    longest_part: float  # 1e-06 to 0.1 s; default 0.0010416666666666667; steps are cut into parts no longer than this
    sweeps: int  # 1 to 100; default 1; visits of all groups in a part, to and fro in turn
    contact_rounds: int  # 1 to 100; default 16; visits of all contacts after each sweep
    contacts_once: bool  # default false; contacts before matching only
    sleep_speed: float  # 0 to 1000 1/s; default 0.05; all may rest when slower, in sizes of a coat per second; 0: never


class CameraKeysItem(TypedDict, total=False):
    time: float  # 0 to 100000 s; default 0.0; when it is there
    eye: Vector  # -1000000 to 1000000 m; default [4.0,2.0,6.0]; where the camera stands
    target: Vector  # -1000000 to 1000000 m; default [0.0,0.5,0.0]; what is in the middle of the picture


class Camera(TypedDict, total=False):
    eye: Optional[Vector]  # -1000000 to 1000000 m; where the camera stands; none: where it sees all action
    target: Optional[Vector]  # -1000000 to 1000000 m; what is in the middle; none: the middle of the action
    field_of_view_deg: float  # 1 to 150 deg; default 35.0; from the lower to the upper edge
    keys: Sequence[CameraKeysItem]  # places that it moves through, instead of eye and target
    turn_time: float  # 0 to 100000 s; default 0.0; time of one turn around the target; 0: it stays
    follow: str  # a body, or one copy, that the camera goes along with


class Picture(TypedDict, total=False):
    width: int  # 1 to 8192 pixels; default 640; pixels across
    height: int  # 1 to 8192 pixels; default 360; pixels down
    samples: int  # 1 to 1024; default 8; camera rays per pixel; powers of two spread best
    exposure: float  # -10 to 10 stops; default 0.0; brightening of the picture
    is_denoised: bool  # default true; smooth the light between like pixels
    sun_direction: Vector  # -1000000 to 1000000; default [-0.55,0.62,0.45]; towards the sun
    sun_strength: float  # 0 to 100; default 1.0; 0 switches the sun off
    sun_size_deg: float  # 0 to 20 deg; default 1.5; angle across the sun: softness of shadows
    sky: Literal["clear", "uniform"]  # default "clear"; what lights the picture besides the sun
    sky_strength: float  # 0 to 100; default 1.0; 0 switches the sky off
    haze_distance: float  # 0 to 1000000 m; default 0.0; at which most of the floor has faded; 0: well behind what the camera looks at
    variation: float  # 0 to 4; default 1.0; how strongly stains, grain and wear show
    colour_by: Literal["none", "depth", "strain", "scratch", "example"]  # default "none"; show damage as colours, with a legend, instead of looks
    colour_range: float  # 0 to 1000; default 0.0; where colours end, in metres or as strain; 0: where all but few places are
    legend: Literal["lower_left", "lower_right", "upper_left", "upper_right", "none"]  # default "lower_left"; the corner in which the legend of colours stands


class Outputs(TypedDict, total=False):
    player: bool  # default true; an HTML page that plays the recording in a browser
    film: bool  # default true; an MP4 of all frames
    webm: bool  # default false; the film as WebM (VP9)
    turntable: bool  # default false; an MP4 that goes once around the last frame
    glb: bool  # default true; a binary glTF with motion and shapes
    damage: bool  # default true; depth, strain and scratch as vertex attributes in the glTF
    dense_morphs: bool  # default false; write morph targets of the glTF in full, for readers of no sparse ones (Godot 3)
    surroundings: bool  # default true; ground, film camera and sun in the glTF and in USD
    ply: bool  # default false; a PLY of each damaged body as it ended, with its damage
    usd: bool  # default false; USD text with motion, shapes and damage over time
    usd_split: Literal["auto", "one", "bodies"]  # default "auto"; one USD file, a file per body, or what its size asks for
    pc2: bool  # default false; a PC2 point cache of each body, with an OBJ to play it on
    mdd: bool  # default false; an MDD point cache of each body, with an OBJ to play it on
    cache_space: Literal["world", "body"]  # default "world"; whether point caches move with their bodies
    obj_sequence: bool  # default false; an OBJ of all bodies at each frame
    ply_sequence: bool  # default false; a PLY of all bodies at each frame, with their damage
    csv: bool  # default false; tables of impacts, hits, energy, poses and shapes
    poster: bool  # default true; one picture
    poster_time: Optional[float]  # 0 to 100000 s; when the picture is taken
    poster_camera: Optional[Camera]  # where it is taken from, if not from the film's place
    journal: bool  # default true; every hit, to replay the shapes without an engine
    report: bool  # default true; bodies, hits, times and the state's hash
