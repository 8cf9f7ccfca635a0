# SPDX-License-Identifier: MIT
# Kept honest by tests/python/stubs_test.py: every name, parameter and default is the module's.
import os
from typing import Any, Callable, Literal, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import options as options

_Path = Union[str, os.PathLike[str]]
_Floats = NDArray[np.float64]
_Ints = NDArray[np.int32]

__version__: str
__all__: list[str]

class Error(ValueError):
    what: str
    where: str
    hint: str

class Material:
    def __init__(self, card: str = "steel", *,  # options: Material
            name: str = ...,  # the card's name
            density: float = ...,  # 1 to 30000 kg/m^3; mass per volume
            youngs_modulus: float = ...,  # 1000 to 2000000000000 Pa; how stiff it is
            poissons_ratio: float = ...,  # 0 to 0.5; how much it widens when it is squeezed
            yield_stress: float = ...,  # 1000 to 1000000000000 Pa; stress from which on it stays deformed
            hardness_ratio: float = ...,  # 0.5 to 50; pressure under which it is indented, over its yield stress; 3 for most metals
            hardening: float = ...,  # 0 to 0.6; power of the strain that its flow stress rises with; steel 0.2, 0: not at all
            tensile_strength: float = ...,  # 1 to 1000000000000 Pa; tension at which it breaks
            fracture_energy: float = ...,  # 0 to 1000000000 J/m^2; what a broken face takes
            friction: float = ...,  # 0 to 10; Coulomb friction
            restitution: float = ...,  # 0 to 1; how much of the approach speed comes back where nothing yields
            colour: options.Vector = ...,  # 0 to 1; linear RGB of the bare material
            metallic: float = ...,  # 0 to 1; 1 for bare metal, 0 for the rest
            roughness: float = ...,  # 0 to 1; 0 mirror, 1 chalk
            opacity: float = ...,  # 0 to 1; below 1 one sees through
            ) -> None: ...
    def replace(self, *,  # options: Material
            name: str = ...,  # the card's name
            density: float = ...,  # 1 to 30000 kg/m^3; mass per volume
            youngs_modulus: float = ...,  # 1000 to 2000000000000 Pa; how stiff it is
            poissons_ratio: float = ...,  # 0 to 0.5; how much it widens when it is squeezed
            yield_stress: float = ...,  # 1000 to 1000000000000 Pa; stress from which on it stays deformed
            hardness_ratio: float = ...,  # 0.5 to 50; pressure under which it is indented, over its yield stress; 3 for most metals
            hardening: float = ...,  # 0 to 0.6; power of the strain that its flow stress rises with; steel 0.2, 0: not at all
            tensile_strength: float = ...,  # 1 to 1000000000000 Pa; tension at which it breaks
            fracture_energy: float = ...,  # 0 to 1000000000 J/m^2; what a broken face takes
            friction: float = ...,  # 0 to 10; Coulomb friction
            restitution: float = ...,  # 0 to 1; how much of the approach speed comes back where nothing yields
            colour: options.Vector = ...,  # 0 to 1; linear RGB of the bare material
            metallic: float = ...,  # 0 to 1; 1 for bare metal, 0 for the rest
            roughness: float = ...,  # 0 to 1; 0 mirror, 1 chalk
            opacity: float = ...,  # 0 to 1; below 1 one sees through
            ) -> Material: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def density(self) -> float: ...
    @property
    def youngs_modulus(self) -> float: ...
    @property
    def poissons_ratio(self) -> float: ...
    @property
    def yield_stress(self) -> float: ...
    @property
    def hardness_ratio(self) -> float: ...
    @property
    def hardening(self) -> float: ...
    @property
    def tensile_strength(self) -> float: ...
    @property
    def fracture_energy(self) -> float: ...
    @property
    def friction(self) -> float: ...
    @property
    def restitution(self) -> float: ...
    @property
    def colour(self) -> list[float]: ...
    @property
    def metallic(self) -> float: ...
    @property
    def roughness(self) -> float: ...
    @property
    def opacity(self) -> float: ...

class Mesh:
    def __init__(self, points: ArrayLike, triangles: ArrayLike) -> None: ...
    @staticmethod
    def load(path: _Path, *,  # options: Mesh.load
            scale: float = 0.0,  # 0 to 1e+35 m; metres per unit of the file; 0: as it says, or guessed
            up: Literal["auto", "x", "y", "z"] = 'auto',  # the file's axis that points up
            fill: Literal["auto", "solid", "sheet"] = 'auto',  # solid, sheet, or closed parts solid and open ones sheets
            thickness: float = 0.0,  # 0 to 10 m; of sheets; 0: guessed
            weld: float = 1e-06,  # 0 to 0.01; points this close are one, as a share of the diagonal
            join_parts: bool = False,  # weld deforming parts to each other
            surface_points: int = 0,  # 0 to 5000000; limit of the simulation surface; 0: 50,000
            longest_edge: float = 0.0,  # 0 to 10000 m; longer edges are halved; 0: none
            crease_deg: float = 40.0,  # 0 to 180 deg; sharper edges stay sharp without normals
            parts: Mapping[str, options.PartsItem] = ...,  # roles of parts, by name or pattern
            ) -> Mesh: ...
    @staticmethod
    def solid(kind: str, *,  # options: Mesh.solid
            size: options.Vector = ...,  # 0 to 10000 m; default [0.0,0.0,0.0]; width, height, depth; all 0 takes the kind's own
            rounding: float = 0.0,  # 0 to 10000 m; radius of rounded edges
            tube: float = 0.1,  # 0.0001 to 10000 m; radius of a torus' tube
            parts: Sequence[options.PartsItem_2] = ...,  # balls and round bars of a blend
            blend: float = 0.0,  # 0 to 10000 m; how far a blend's parts melt into each other
            resolution: float = 0.0,  # 0 to 10000 m; edge length of triangles; 0 chooses
            ) -> Mesh: ...
    def mass(self, material: Union[str, Material] = "steel",
             thickness: Optional[float] = None) -> dict[str, Any]: ...
    def damage(self, points: ArrayLike) -> dict[str, _Floats]: ...
    def pose(self, points: ArrayLike) -> tuple[_Floats, _Floats]: ...
    def painted(self, *,  # options: Mesh.painted
            colour: options.Vector = ...,  # 0 to 1; default [0.8,0.8,0.8]; linear RGB
            metallic: float = 0.0,  # 0 to 1; 1 for bare metal, 0 for the rest
            roughness: float = 0.6,  # 0 to 1; 0 mirror, 1 chalk
            ) -> Mesh: ...
    def _repr_png_(self) -> bytes: ...
    def write_obj(self, path: _Path, points: Optional[ArrayLike] = None) -> None: ...
    @property
    def points(self) -> _Floats: ...
    @property
    def triangles(self) -> _Ints: ...
    @property
    def normals(self) -> _Floats: ...
    @property
    def render_points(self) -> _Floats: ...
    @property
    def render_normals(self) -> _Floats: ...
    @property
    def render_uvs(self) -> _Floats: ...
    @property
    def render_triangles(self) -> _Ints: ...
    @property
    def file_points(self) -> _Floats: ...
    @property
    def file_vertices(self) -> _Ints: ...
    @property
    def bounds(self) -> tuple[_Floats, _Floats]: ...
    @property
    def volume(self) -> float: ...
    @property
    def area(self) -> float: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def thickness(self) -> float: ...
    @property
    def report(self) -> Optional[dict[str, Any]]: ...

class DentMap:
    def __init__(self, depths: ArrayLike, cell: float) -> None: ...
    @staticmethod
    def gaussian(side: int, radius: float, depth: float) -> DentMap: ...
    @staticmethod
    def cosine(side: int, radius: float, depth: float) -> DentMap: ...
    @staticmethod
    def cap(side: int, ball: float, depth: float) -> DentMap: ...
    @staticmethod
    def formula(text: str, side: int, radius: float, depth: float) -> DentMap: ...
    @staticmethod
    def heights(heights: Union[ArrayLike, _Path], width: float, depth: float,
                side: int = 200) -> DentMap: ...
    @staticmethod
    def projectile(mesh: Mesh, *,  # options: DentMap.projectile
            distance: float = 0.05,  # 1e-06 to 10000 m; how far it is pressed in, along its way
            rotation: options.Rotation = ...,  # default [1.0,0.0,0.0,0.0]; how the projectile is turned
            smoothing: float = 0.0,  # 0 to 1; how softly the dent runs out; 0: not at all
            slant_deg: float = 0.0,  # 0 to 80 deg; how far from the way in it comes
            grid: int = 100,  # 8 to 1024; samples along the longer side at most
            edge: float = 0.0,  # 0 to 100 m; of the struck mesh's triangles; 0: as the projectile's
            ) -> DentMap: ...
    def broaden(self, reach: float) -> DentMap: ...
    def smooth(self, rounds: int, floor: Union[DentMap, ArrayLike, None] = None) -> DentMap: ...
    def hit(self, position: ArrayLike, direction: ArrayLike, *,  # options: DentMap.hit
            slant_deg: float = 0.0,  # 0 to 90 deg; how far from the way in it comes
            starts: Sequence[options.StartsItem] = ...,  # further places that were struck at once
            profile: Literal["gaussian", "cosine", "cap"] = 'gaussian',  # a round dent by formula
            map: Optional[str] = ...,  # a shape of its own instead, as a journal writes it
            depth: float = 0.01,  # 0 to 1000000 m; furthest displacement
            radius: float = 0.1,  # 1e-09 to 1000000 m; beyond this nothing moves
            fade: float = 0.0,  # 0 to 1000000 m; length over which the push fades inward; 0: radius
            lean: float = 1.0,  # 0 to 1; share of the slant that the dent shows, and of a vector map's sideways
            widening: float = 0.0,  # 0 to 100; leans the front of a slanted dent more
            rim: float = 0.0,  # 0 to 100; how high the edge is raised; 5: a Gaussian's volume
            total_limit: float = 1000000000.0,  # 0 to 1000000000 m; no point ends further from its rest place
            attenuation: Literal["logistic", "none", "linear", "exponential"] = 'logistic',  # how the push fades below the surface
            ) -> dict[str, Any]: ...
    def depth(self, x: float, y: float) -> float: ...
    @property
    def depths(self) -> _Floats: ...
    @property
    def cell(self) -> float: ...
    @property
    def deepest(self) -> float: ...
    @property
    def x(self) -> _Floats: ...
    @property
    def y(self) -> _Floats: ...

class Pressed:
    @property
    def points(self) -> _Floats: ...
    @property
    def zone(self) -> _Ints: ...
    @property
    def radial(self) -> _Floats: ...
    @property
    def amplitude(self) -> _Floats: ...
    @property
    def report(self) -> dict[str, Any]: ...

class PressRigid:
    def __init__(self, points: ArrayLike, triangles: ArrayLike) -> None: ...

class Presser:
    def __init__(self, points: ArrayLike, triangles: ArrayLike, *,  # options: Presser
            stiffness: float = 0.0,  # 0 to 10000 m; radius of the ball that must fit where it touches; 0: a quarter of the thickness, less the deeper it is pressed
            extent: float = 0.0,  # 0 to 10000 m; how far the bulge reaches; 0: 0.92 of the thickness
            bulge: float = 1.0,  # 0 to 20; 0 none, 1 as much as Poisson's ratio has, more exaggerates
            poissons_ratio: float = 0.5,  # 0 to 0.5; 0.5 keeps the volume, less is compressed
            bulge_at: float = 0.3333333333333333,  # 0.2 to 1; where the bulge sits, as a share of the extent
            fade_from: float = 0.8333333333333334,  # 0.2 to 1; where it begins to fade out; at least bulge_at
            fade_flatness: float = 0.9166666666666666,  # 0.2 to 1; how flat it fades out; at least fade_from
            wrinkles: float = 0.0,  # 0 to 2; height of waves, as a share of the contact's depth
            waves: float = 6.0,  # 0.5 to 100; how many of them, from the contact to the extent
            mapping: Literal["spread", "affine"] = 'spread',  # how what went in is taken onto the rigid surface
            leg: Literal["rising", "paper"] = 'rising',  # how far the surface follows its first slope
            relief: str = '',  # formula of u, x, y, z laid over the bulge, share of depth
            curve: Sequence[float] = ...,  # -10 to 10; the same drawn: heights from the contact to the extent
            wall: float = 0.0,  # 0 to 10000 m; points this near to maps.region go along with it
            stiffness_map: Sequence[float] = ...,  # 0.01 to 100; factors of the stiffness, one per point
            bulge_map: Sequence[float] = ...,  # 0 to 20; factors of the bulge, one per point
            detail: Optional[options.Detail] = ...,  # a smoothed base is pressed; {} takes every default
            proxy: Optional[options.Proxy] = ...,  # what it swallows is drawn out to press it
            ) -> None: ...
    def press(self, rigid: PressRigid, points: Optional[ArrayLike] = None, *,  # options: Presser.press
            position: options.Vector = ...,  # -100000 to 100000 m; default [0.0,0.0,0.0]; where the rigid surface's origin is
            rotation: options.Rotation = ...,  # default [1.0,0.0,0.0,0.0]; how it is turned
            ) -> Pressed: ...
    def press_frames(self, rigid: PressRigid, points: Optional[ArrayLike] = None,
                     rigid_points: Optional[ArrayLike] = None,
                     positions: Optional[ArrayLike] = None,
                     rotations: Optional[ArrayLike] = None) -> list[Pressed]: ...

class Journal:
    def __init__(self) -> None: ...
    def add(self, time: float = 0.0, duration: float = 0.0, kind: str = "dent", *,  # options: hits
            position: options.Vector = ...,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where it is struck, in the body's rest frame
            direction: options.Vector = ...,  # -1000000 to 1000000; default [0.0,-1.0,0.0]; the way in: against the surface's normal
            slant_deg: float = 0.0,  # 0 to 90 deg; how far from the way in it comes
            starts: Sequence[options.StartsItem] = ...,  # further places that were struck at once
            profile: Literal["gaussian", "cosine", "cap"] = 'gaussian',  # a round dent by formula
            map: Optional[str] = ...,  # a shape of its own instead, as a journal writes it
            depth: float = 0.01,  # 0 to 1000000 m; furthest displacement
            radius: float = 0.1,  # 1e-09 to 1000000 m; beyond this nothing moves
            fade: float = 0.0,  # 0 to 1000000 m; length over which the push fades inward; 0: radius
            lean: float = 1.0,  # 0 to 1; share of the slant that the dent shows, and of a vector map's sideways
            widening: float = 0.0,  # 0 to 100; leans the front of a slanted dent more
            rim: float = 0.0,  # 0 to 100; how high the edge is raised; 5: a Gaussian's volume
            total_limit: float = 1000000000.0,  # 0 to 1000000000 m; no point ends further from its rest place
            attenuation: Literal["logistic", "none", "linear", "exponential"] = 'logistic',  # how the push fades below the surface
            along: options.Vector = ...,  # -1000000 to 1000000; default [0.0,1.0,0.0]; along the body, towards the part that turns
            axis: options.Vector = ...,  # -1000000 to 1000000; default [0.0,0.0,1.0]; about which it turns, across the way along
            angle_deg: float = 30.0,  # -720 to 720 deg; how far the far part turns
            length: float = 0.1,  # 1e-09 to 1000000 m; over which the bend is spread
            longest_edge: float = 0.01,  # 1e-09 to 1000000 m; edges there are halved until none is longer
            point_limit: int = 0,  # 0 to 1000000000; points that the whole mesh may have by then; 0: as many as it takes
            changes: Mapping[str, options.ChangesItem] = ...,  # of the shares of example poses, by their names
            moves: Sequence[options.MovesItem] = ...,  # control points that moved
            joints: Sequence[options.JointsItem] = ...,  # what it did to the joints
            area: float = 0.0,  # 0 to 1000000000000 m^2; of what broke
            first_part: int = 0,  # 0 to 1000000000; number of the first part that it left; 0: none
            vanishes: bool = False,  # the body is gone from then on
            centre: options.Vector = ...,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; of a pattern about the place where the body first broke
            ) -> int: ...
    def remove(self, id: int) -> bool: ...
    def repair(self, time: float, amount: float = 1.0, duration: float = 0.0) -> None: ...
    def points(self, mesh: Mesh, time: float = 1000000000.0) -> _Floats: ...
    def to_dict(self) -> dict[str, Any]: ...
    @staticmethod
    def from_dict(fields: Mapping[str, Any]) -> Journal: ...
    def copy(self) -> Journal: ...
    def __len__(self) -> int: ...
    @property
    def hits(self) -> list[dict[str, Any]]: ...

class JournalFile:
    @staticmethod
    def load(path: _Path) -> JournalFile: ...
    def save(self, path: _Path) -> None: ...
    def journal(self, body: str) -> Journal: ...
    def set_journal(self, body: str, journal: Journal) -> None: ...
    def pose(self, body: str) -> _Floats: ...
    def shapes(self, time: Optional[float] = None) -> dict[str, _Floats]: ...
    def replay_hash(self, time: Optional[float] = None) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def shape_hash(self) -> int: ...
    @property
    def shown_hash(self) -> int: ...
    @property
    def bodies(self) -> list[str]: ...

class Recording:
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def points(self, body: Union[int, str], frame: int) -> _Floats: ...
    def mesh(self, body: Union[int, str]) -> Mesh: ...
    def draw(self, frame: int, *,  # options: Recording.draw
            eye: options.Vector = ...,  # -1000000 to 1000000 m; where the camera stands
            target: options.Vector = ...,  # -1000000 to 1000000 m; what is in the middle of the picture
            field_of_view_deg: float = ...,  # 1 to 150 deg; from the lower to the upper edge
            width: int = ...,  # 1 to 8192 pixels; pixels across
            height: int = ...,  # 1 to 8192 pixels; pixels down
            samples: int = ...,  # 1 to 1024; camera rays per pixel; powers of two spread best
            exposure: float = ...,  # -10 to 10 stops; brightening of the picture
            is_denoised: bool = ...,  # smooth the light between like pixels
            sun_direction: options.Vector = ...,  # -1000000 to 1000000; towards the sun
            sun_strength: float = ...,  # 0 to 100; 0 switches the sun off
            sun_size_deg: float = ...,  # 0 to 20 deg; angle across the sun: softness of shadows
            sky: Literal["clear", "uniform"] = ...,  # what lights the picture besides the sun
            sky_strength: float = ...,  # 0 to 100; 0 switches the sky off
            haze_distance: float = ...,  # 0 to 1000000 m; at which most of the floor has faded; 0: well behind what the camera looks at
            variation: float = ...,  # 0 to 4; how strongly stains, grain and wear show
            colour_by: Literal["none", "depth", "strain", "scratch", "example"] = ...,  # show damage as colours, with a legend, instead of looks
            colour_range: float = ...,  # 0 to 1000; where colours end, in metres or as strain; 0: where all but few places are
            legend: Literal["lower_left", "lower_right", "upper_left", "upper_right", "none"] = ...,  # the corner in which the legend of colours stands
            has_ground: bool = ...,  # an endless concrete floor
            ground_height: float = ...,  # -1000000 to 1000000 m; height of the endless floor
            ground_colour: options.Vector = ...,  # 0 to 1; linear RGB of the endless floor
            ) -> NDArray[np.uint8]: ...
    def write_glb(self, path: _Path, *,  # options: Recording.write_glb
            shape_tolerance: float = 0.001,  # 0 to 1; error of shapes, as a share of the body's size
            motion_tolerance: float = 0.0001,  # 0 to 1; error of motion, as a share of the body's size
            max_shape_keys: int = 200,  # 0 to 10000; morph targets per body at most
            hits: bool = True,  # list each body's hits in its node's extras
            damage: bool = True,  # give damaged bodies their final damage as vertex attributes
            dense_morphs: bool = False,  # write morph targets in full, without sparse accessors
            size_limit: float = 4294967295.0,  # 1000 to 4294967295 bytes; refuse to write a larger file
            ) -> None: ...
    def write_player(self, path: _Path, *,  # options: Recording.write_player
            title: str = ...,  # what is played
            description: str = ...,  # one line for people
            position_error: float = ...,  # 1e-07 to 0.1; error of shapes, as a share of the body's size
            has_ground: bool = ...,  # an endless floor
            ground_height: float = ...,  # -1000000 to 1000000 m; height of the endless floor
            ground_colour: options.Vector = ...,  # 0 to 1; linear RGB of the endless floor
            sun_direction: options.Vector = ...,  # -1000000 to 1000000; towards the sun
            field_of_view_deg: float = ...,  # 1 to 150 deg; from the lower to the upper edge
            camera: Sequence[options.CameraItem] = ...,  # none, one view, or one per frame
            ) -> None: ...
    def write_usd(self, path: _Path, *,  # options: Recording.write_usd
            split: Literal["auto", "one", "bodies"] = 'auto',  # one file, a file per body, or what the size asks for
            split_size: float = 100000000.0,  # 1 to 1000000000000000 bytes; from this size on auto makes a file per body
            velocities: bool = True,  # velocities of moving vertices
            damage: bool = True,  # depth, strain and scratch as primvars
            ) -> None: ...
    def write_point_caches(self, folder: _Path, kind: str = "pc2",
                           space: str = "world") -> None: ...
    def write_tables(self, folder: _Path) -> None: ...
    def write_ply(self, body: Union[int, str], path: _Path) -> None: ...
    @property
    def frame_rate(self) -> float: ...
    @property
    def times(self) -> _Floats: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def poses(self) -> _Floats: ...
    @property
    def shape_indices(self) -> _Ints: ...
    @property
    def is_present(self) -> NDArray[np.bool_]: ...
    @property
    def hits(self) -> NDArray[np.void]: ...
    @property
    def impacts(self) -> NDArray[np.void]: ...
    @property
    def energy(self) -> NDArray[np.void]: ...
    @property
    def journal(self) -> Optional[JournalFile]: ...
    @property
    def report(self) -> Optional[dict[str, Any]]: ...

class Simulation:
    def __init__(self, *,  # options: Simulation
            gravity: options.Vector = ...,  # -1000 to 1000 m/s^2; default [0.0,-9.81,0.0]; pull on every body
            sub_steps: int = 1,  # 1 to 1000; equal parts of each step
            solver_iterations: int = 10,  # 1 to 1000; rounds of the contact solver
            has_two_frictions: bool = False,  # contacts rub along two fixed directions, not one
            runaway_speed: float = 10000.0,  # 1 to 100000000 m/s; a faster body is stopped and reported
            sleep_speed: float = 0.05,  # 0 to 1000 1/s; slower bodies may fall asleep, in sizes of the body per second; 0: never
            sleep_spin: float = 0.1,  # 0 to 1000 rad/s; bodies that also turn slower may fall asleep; 0: never
            impacts: options.Impacts = ...,  # what counts as an impact
            exaggerate: float = 1.0,  # 0 to 1000; scales what hits do to all bodies; 1 is physics
            hit_budget: int = 64,  # 1 to 1000000; hits applied per step at most; the rest wait
            piece_budget: int = 512,  # 1 to 100000; convex pieces of one body at most
            fill_tolerance: float = 0.011,  # 1e-05 to 1; a piece that fills a hollow deeper than this share of the body's size is split
            contact_tolerance: float = 0.001,  # 0 to 1; contacts are dropped where the surface moved further than this share of size
            ) -> None: ...
    def add_ground(self, height: float = 0.0,
                   material: Union[str, Material] = "concrete") -> int: ...
    def add_rigid(self, mesh: Mesh, *,  # options: Simulation.add_rigid
            name: str = '',  # for reports and recordings
            position: options.Vector = ...,  # -100000 to 100000 m; default [0.0,0.0,0.0]; where the mesh's origin is
            motion: Literal["static", "kinematic", "dynamic"] = 'dynamic',  # whether it moves by itself
            collider: Literal["auto", "sphere", "box", "capsule", "half_space", "pieces"] = 'auto',  # what it collides as
            rotation: options.Rotation = ...,  # default [1.0,0.0,0.0,0.0]; how it is turned
            velocity: options.Vector = ...,  # -1000 to 1000 m/s; default [0.0,0.0,0.0]; how fast it starts
            spin: options.Vector = ...,  # -1000 to 1000 rad/s; default [0.0,0.0,0.0]; how fast it turns at the start
            material_changes: options.MaterialChanges = ...,  # what differs from the card
            thickness: float = 0.0,  # 0 to 10 m; of the sheet it is made of; 0: solid, or as mesh_options say
            mass: float = 0.0,  # 0 to 1000000000 kg; 0 takes it from density and shape
            is_hidden: bool = False,  # left out of pictures; simulated and exported all the same
            tissue: Optional[options.Tissue] = ...,  # a soft coat around it; {} takes every default
            drive: Optional[options.Drive] = ...,  # what moves a dynamic body, by phases or along its keys
            pieces: options.Pieces = ...,  # how its surface is cut into convex pieces
            ) -> int: ...
    def add_deformable(self, mesh: Mesh, *,  # options: Simulation.add_deformable
            name: str = '',  # for reports and recordings
            position: options.Vector = ...,  # -100000 to 100000 m; default [0.0,0.0,0.0]; where the mesh's origin is
            motion: Literal["static", "kinematic", "dynamic"] = 'dynamic',  # whether it moves by itself
            rotation: options.Rotation = ...,  # default [1.0,0.0,0.0,0.0]; how it is turned
            velocity: options.Vector = ...,  # -1000 to 1000 m/s; default [0.0,0.0,0.0]; how fast it starts
            spin: options.Vector = ...,  # -1000 to 1000 rad/s; default [0.0,0.0,0.0]; how fast it turns at the start
            material: Union[str, "Material"] = 'steel',  # the name of a material card
            material_changes: options.MaterialChanges = ...,  # what differs from the card
            thickness: float = 0.0,  # 0 to 10 m; of the sheet it is made of; 0: solid, or as mesh_options say
            mass: float = 0.0,  # 0 to 1000000000 kg; 0 takes it from density and shape
            is_hidden: bool = False,  # left out of pictures; simulated and exported all the same
            tissue: Optional[options.Tissue] = ...,  # a soft coat around it; {} takes every default
            drive: Optional[options.Drive] = ...,  # what moves a dynamic body, by phases or along its keys
            pieces: options.Pieces = ...,  # how its surface is cut into convex pieces
            dent: Optional[options.Dent] = ...,  # dents where it is hit; {} takes every default
            shell: Optional[options.Shell] = ...,  # crumples as sheet metal does; {} takes every default
            example: Optional[options.Example] = ...,  # turns towards example poses of its rig where it is hit
            bend: Optional[options.Bend] = ...,  # bends at the joints of a skeleton; {} takes every default
            fracture: Optional[options.Fracture] = ...,  # breaks along a pattern; {} takes every default
            ) -> int: ...
    def remove(self, body: int) -> None: ...
    def step(self, dt: float, count: int = 1) -> None: ...
    def set_motion(self, body: int, *,  # options: Simulation.set_motion
            position: options.Vector = ...,  # -100000 to 100000 m; where the mesh's origin is
            rotation: options.Rotation = ...,  # how it is turned
            velocity: options.Vector = ...,  # -1000 to 1000 m/s; of the centre of mass
            spin: options.Vector = ...,  # -1000 to 1000 rad/s; how fast it turns
            ) -> None: ...
    def apply_impulse(self, body: int, impulse: ArrayLike, point: ArrayLike) -> None: ...
    def pose(self, body: int) -> _Floats: ...
    def velocity(self, body: int) -> _Floats: ...
    def spin(self, body: int) -> _Floats: ...
    def centre(self, body: int) -> _Floats: ...
    def is_asleep(self, body: int) -> bool: ...
    def mass(self, body: int) -> float: ...
    def points(self, body: int) -> _Floats: ...
    def is_deformable(self, body: int) -> bool: ...
    def journal(self, body: int) -> Journal: ...
    def schedule_hit(self, body: int, time: Optional[float] = None, duration: float = 0.0,
                     kind: str = "dent", *,  # options: hits
            position: options.Vector = ...,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; where it is struck, in the body's rest frame
            direction: options.Vector = ...,  # -1000000 to 1000000; default [0.0,-1.0,0.0]; the way in: against the surface's normal
            slant_deg: float = 0.0,  # 0 to 90 deg; how far from the way in it comes
            starts: Sequence[options.StartsItem] = ...,  # further places that were struck at once
            profile: Literal["gaussian", "cosine", "cap"] = 'gaussian',  # a round dent by formula
            map: Optional[str] = ...,  # a shape of its own instead, as a journal writes it
            depth: float = 0.01,  # 0 to 1000000 m; furthest displacement
            radius: float = 0.1,  # 1e-09 to 1000000 m; beyond this nothing moves
            fade: float = 0.0,  # 0 to 1000000 m; length over which the push fades inward; 0: radius
            lean: float = 1.0,  # 0 to 1; share of the slant that the dent shows, and of a vector map's sideways
            widening: float = 0.0,  # 0 to 100; leans the front of a slanted dent more
            rim: float = 0.0,  # 0 to 100; how high the edge is raised; 5: a Gaussian's volume
            total_limit: float = 1000000000.0,  # 0 to 1000000000 m; no point ends further from its rest place
            attenuation: Literal["logistic", "none", "linear", "exponential"] = 'logistic',  # how the push fades below the surface
            along: options.Vector = ...,  # -1000000 to 1000000; default [0.0,1.0,0.0]; along the body, towards the part that turns
            axis: options.Vector = ...,  # -1000000 to 1000000; default [0.0,0.0,1.0]; about which it turns, across the way along
            angle_deg: float = 30.0,  # -720 to 720 deg; how far the far part turns
            length: float = 0.1,  # 1e-09 to 1000000 m; over which the bend is spread
            longest_edge: float = 0.01,  # 1e-09 to 1000000 m; edges there are halved until none is longer
            point_limit: int = 0,  # 0 to 1000000000; points that the whole mesh may have by then; 0: as many as it takes
            changes: Mapping[str, options.ChangesItem] = ...,  # of the shares of example poses, by their names
            moves: Sequence[options.MovesItem] = ...,  # control points that moved
            joints: Sequence[options.JointsItem] = ...,  # what it did to the joints
            area: float = 0.0,  # 0 to 1000000000000 m^2; of what broke
            first_part: int = 0,  # 0 to 1000000000; number of the first part that it left; 0: none
            vanishes: bool = False,  # the body is gone from then on
            centre: options.Vector = ...,  # -1000000000 to 1000000000 m; default [0.0,0.0,0.0]; of a pattern about the place where the body first broke
            ) -> None: ...
    def restore_journal(self, body: int, journal: Journal) -> None: ...
    def restore_time(self, time: float) -> None: ...
    @property
    def hit_events(self) -> list[tuple[int, int]]: ...
    @property
    def births(self) -> list[tuple[int, int]]: ...
    def repair(self, body: int, amount: float = 1.0, duration: float = 0.0) -> None: ...
    def remove_hit(self, body: int, hit: int) -> bool: ...
    def start_recording(self, frame_rate: float = 30.0) -> None: ...
    def capture(self) -> None: ...
    def finish_recording(self) -> Recording: ...
    @property
    def time(self) -> float: ...
    @property
    def state_hash(self) -> int: ...
    @property
    def shape_hash(self) -> int: ...
    @property
    def bodies(self) -> list[int]: ...
    @property
    def energy(self) -> dict[str, float]: ...
    @property
    def report(self) -> dict[str, Any]: ...

class Scene:
    def __init__(self, *,  # options: Scene
            name: str = '',  # of the outputs; empty takes the file's name
            description: str = '',  # one line for people
            step_rate: float = 240.0,  # 1 to 100000 1/s; simulation steps per second; n * frame_rate
            sub_steps: int = 1,  # 1 to 1000; equal parts into which the engine cuts a step
            solver_iterations: int = 10,  # 1 to 1000; rounds of the contact solver
            has_two_frictions: bool = False,  # contacts rub along two fixed directions, not one: what is held does not creep
            sleep_speed: float = 0.05,  # 0 to 1000 1/s; bodies that lie slower than this, in their sizes per second, sleep; 0: never
            sleep_spin: float = 0.1,  # 0 to 1000 rad/s; bodies that lie turning faster than this do not sleep; 0: never
            threads: int = 0,  # 0 to 1024; 0 takes all cores; the result is the same
            gravity: options.Vector = ...,  # -1000 to 1000 m/s^2; default [0.0,-9.81,0.0]; pull on every body
            ground: options.Ground = ...,  # an endless floor
            bodies: Mapping[str, options.BodiesItem] = ...,  # everything that is there, by name
            hits: Sequence[options.HitsItem] = ...,  # marks placed by hand, with no physics
            press: Sequence[options.PressItem] = ...,  # soft bodies, and what squashes them
            simulation: options.Simulation = ...,  # how impacts become shapes
            tissue: options.Tissue_2 = ...,  # how soft coats are solved
            camera: options.Camera = ...,  # where pictures are taken from
            picture: options.Picture = ...,  # how pictures are made
            outputs: options.Outputs = ...,  # what a run leaves behind
            ) -> None: ...
    @staticmethod
    def load(path: _Path, overrides: Sequence[str] = []) -> Scene: ...
    @staticmethod
    def parse(text: str, folder: _Path = "") -> Scene: ...
    def set(self, path: str, value: Any) -> None: ...
    def check(self) -> list[str]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def copy(self) -> Scene: ...
    def run(self, max_frames: int = 0,
            progress: Optional[Callable[[str, float], Any]] = None) -> Recording: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...

def fields(name: str) -> list[dict[str, str]]: ...
def materials() -> list[Material]: ...
def press(soft_points: ArrayLike, soft_triangles: ArrayLike, rigid_points: ArrayLike,
          rigid_triangles: ArrayLike, *,  # options: press
            stiffness: float = 0.0,  # 0 to 10000 m; radius of the ball that must fit where it touches; 0: a quarter of the thickness, less the deeper it is pressed
            extent: float = 0.0,  # 0 to 10000 m; how far the bulge reaches; 0: 0.92 of the thickness
            bulge: float = 1.0,  # 0 to 20; 0 none, 1 as much as Poisson's ratio has, more exaggerates
            poissons_ratio: float = 0.5,  # 0 to 0.5; 0.5 keeps the volume, less is compressed
            bulge_at: float = 0.3333333333333333,  # 0.2 to 1; where the bulge sits, as a share of the extent
            fade_from: float = 0.8333333333333334,  # 0.2 to 1; where it begins to fade out; at least bulge_at
            fade_flatness: float = 0.9166666666666666,  # 0.2 to 1; how flat it fades out; at least fade_from
            wrinkles: float = 0.0,  # 0 to 2; height of waves, as a share of the contact's depth
            waves: float = 6.0,  # 0.5 to 100; how many of them, from the contact to the extent
            mapping: Literal["spread", "affine"] = 'spread',  # how what went in is taken onto the rigid surface
            leg: Literal["rising", "paper"] = 'rising',  # how far the surface follows its first slope
            relief: str = '',  # formula of u, x, y, z laid over the bulge, share of depth
            curve: Sequence[float] = ...,  # -10 to 10; the same drawn: heights from the contact to the extent
            wall: float = 0.0,  # 0 to 10000 m; points this near to maps.region go along with it
            stiffness_map: Sequence[float] = ...,  # 0.01 to 100; factors of the stiffness, one per point
            bulge_map: Sequence[float] = ...,  # 0 to 20; factors of the bulge, one per point
            detail: Optional[options.Detail] = ...,  # a smoothed base is pressed; {} takes every default
            proxy: Optional[options.Proxy] = ...,  # what it swallows is drawn out to press it
        ) -> Pressed: ...
def press_both(a_points: ArrayLike, a_triangles: ArrayLike, b_points: ArrayLike,
               b_triangles: ArrayLike, share: float = 0.5, a_options: dict[str, Any] = {},
               b_options: dict[str, Any] = {}) -> tuple[Pressed, Pressed]: ...
def press_refined(soft_points: ArrayLike, soft_triangles: ArrayLike, rigid_points: ArrayLike,
                  rigid_triangles: ArrayLike, *,  # options: press_refined
        stiffness: float = 0.0,  # 0 to 10000 m; radius of the ball that must fit where it touches; 0: a quarter of the thickness, less the deeper it is pressed
        extent: float = 0.0,  # 0 to 10000 m; how far the bulge reaches; 0: 0.92 of the thickness
        bulge: float = 1.0,  # 0 to 20; 0 none, 1 as much as Poisson's ratio has, more exaggerates
        poissons_ratio: float = 0.5,  # 0 to 0.5; 0.5 keeps the volume, less is compressed
        bulge_at: float = 0.3333333333333333,  # 0.2 to 1; where the bulge sits, as a share of the extent
        fade_from: float = 0.8333333333333334,  # 0.2 to 1; where it begins to fade out; at least bulge_at
        fade_flatness: float = 0.9166666666666666,  # 0.2 to 1; how flat it fades out; at least fade_from
        wrinkles: float = 0.0,  # 0 to 2; height of waves, as a share of the contact's depth
        waves: float = 6.0,  # 0.5 to 100; how many of them, from the contact to the extent
        mapping: Literal["spread", "affine"] = 'spread',  # how what went in is taken onto the rigid surface
        leg: Literal["rising", "paper"] = 'rising',  # how far the surface follows its first slope
        relief: str = '',  # formula of u, x, y, z laid over the bulge, share of depth
        curve: Sequence[float] = ...,  # -10 to 10; the same drawn: heights from the contact to the extent
        wall: float = 0.0,  # 0 to 10000 m; points this near to maps.region go along with it
        stiffness_map: Sequence[float] = ...,  # 0.01 to 100; factors of the stiffness, one per point
        bulge_map: Sequence[float] = ...,  # 0 to 20; factors of the bulge, one per point
        edge: float = 1.5,  # 0.1 to 100; stretched edges are split above so many mean edges
        rounds: int = 3,  # 0 to 8; presses at most so many times to look where
        growth: float = 4.0,  # 1 to 100; the mesh gets at most so many times its points
        ) -> tuple[_Floats, _Ints, Pressed]: ...
def scenes() -> list[str]: ...
def write_png(path: _Path, pixels: ArrayLike) -> None: ...
