# SPDX-License-Identifier: MIT
#
# A scene with the features of Godot 3: shadows, screen-space reflections, ambient occlusion, glow,
# particles (transform feedback), 4 samples.  Prints the time per frame.
extends Spatial
var frames = 0
var start = 0
var spin
func mat(c, metal, rough):
	var m = SpatialMaterial.new()
	m.albedo_color = c
	m.metallic = metal
	m.roughness = rough
	return m
func put(mesh, pos, m):
	var i = MeshInstance.new()
	i.mesh = mesh
	i.translation = pos
	i.material_override = m
	add_child(i)
	return i
func _ready():
	var cam = Camera.new()
	add_child(cam)
	cam.look_at_from_position(Vector3(5, 4, 7), Vector3(0, 1, 0), Vector3(0, 1, 0))
	cam.current = true
	var sun = DirectionalLight.new()
	sun.shadow_enabled = true
	add_child(sun)
	sun.rotation_degrees = Vector3(-50, 40, 0)
	var omni = OmniLight.new()
	omni.translation = Vector3(-2, 2.5, 2)
	omni.light_color = Color(1, .6, .3)
	omni.shadow_enabled = true
	add_child(omni)
	var env = Environment.new()
	env.background_mode = Environment.BG_SKY
	env.background_sky = ProceduralSky.new()
	env.ssao_enabled = true
	env.glow_enabled = true
	env.tonemap_mode = Environment.TONE_MAPPER_ACES
	env.ss_reflections_enabled = true
	var we = WorldEnvironment.new()
	we.environment = env
	add_child(we)
	var plane = PlaneMesh.new()
	plane.size = Vector2(14, 14)
	put(plane, Vector3(), mat(Color(.5, .5, .55), .2, .2))
	for i in range(5):
		put(SphereMesh.new(), Vector3(i * 1.8 - 3.6, 1, -1), mat(Color.from_hsv(i * .18, .8, .9), i * .25, .1 + i * .2))
	spin = put(cube(), Vector3(0, 1.2, 2), mat(Color(.9, .8, .2), 1, .25))
	var p = Particles.new()
	p.amount = 200
	p.fixed_fps = 20
	p.preprocess = 2
	var pm = ParticlesMaterial.new()
	pm.initial_velocity = 4
	pm.spread = 20
	pm.direction = Vector3(0, 1, 0)
	p.process_material = pm
	var q = CubeMesh.new()
	q.size = Vector3(.08, .08, .08)
	p.draw_pass_1 = q
	p.translation = Vector3(2.5, 0, 2)
	add_child(p)
	print("program: ", VisualServer.get_video_adapter_name(), ", ", VisualServer.get_video_adapter_vendor())
func cube():
	var c = CubeMesh.new()
	c.size = Vector3(1.2, 1.2, 1.2)
	return c
func _process(_d):
	frames += 1
	spin.rotation_degrees = Vector3(30, frames * 2, 0)
	if frames == 10:
		start = OS.get_ticks_msec()
	if frames == 40:
		print("program: ", (OS.get_ticks_msec() - start) / 30000.0, " s a frame")
		print("program: done")
		set_process(false)
